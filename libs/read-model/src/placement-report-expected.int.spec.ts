import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import fc from 'fast-check';
import { PlacementReportQueries } from './placement-report-queries.ts';
import { anyReportLog, insertReportLog } from './testing/any-report-log.ts';
import { expectedReport } from './testing/expected-report.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase('read-model')));
afterAll(async () => await database[Symbol.asyncDispose]());

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const placementId = 'onboarding';
const numberOf = (text: string | null) => (text === null ? null : Number(text));

it('is what decisions, showings and purchases of any log add up to', async () => {
  const days = fc.record({ first: fc.nat(2), span: fc.integer({ min: 1, max: 4 }) });
  await fc.assert(
    fc.asyncProperty(anyReportLog(5), fc.constantFrom(null, 1), days, async (log, model, { first, span }) => {
      await database.empty();
      await insertReportLog(database.pool, { start, log });
      const [from, to] = [24 * first, 24 * (first + span)];
      const reported = await new PlacementReportQueries(database.pool).ofPlacement({
        ...{ appId: 1, placementId, from: start + from * hour, to: start + to * hour },
        ...(model !== null && { model }),
      });
      const { rows, comparison } = expectedReport(log, { placementId, model, from, to });
      const told = reported.map((row) => {
        const { target, paywallId, externalId, requests, draws, uniqueImpressions, conversions } = row;
        const { usdPerImpression, spread, usdPerDraw, drawSpread, revenueUsd } = row;
        expect(externalId).toBe(paywallId === null ? null : `paywall-${paywallId}`);
        const shown = { mean: numberOf(usdPerImpression), ...spread };
        const drawn = { mean: numberOf(usdPerDraw), ...drawSpread };
        const counts = { requests, draws, uniqueImpressions, conversions };
        const key = paywallId === null ? target : `${target}/${paywallId}`;
        return [key, { ...counts, revenueUsd: Number(revenueUsd), shown, drawn }] as const;
      });
      expect(Object.fromEntries(told)).toEqual(nearly(Object.fromEntries(rows)));
      const compared = comparisonOf(reported);
      expect(compared && comparable(compared)).toEqual(nearly(comparison));
    }),
    { numRuns: 60, endOnFailure: true },
  );
}, 120_000);

it('has, by day, what the report of each day has, and the comparison of the report until its end', async () => {
  const queries = new PlacementReportQueries(database.pool);
  await fc.assert(
    fc.asyncProperty(anyReportLog(5), fc.nat(30), fc.integer({ min: 60, max: 110 }), async (log, from, to) => {
      await database.empty();
      await insertReportLog(database.pool, { start, log });
      const period = { appId: 1, placementId, from: start + from * hour, to: start + to * hour };
      const days = await queries.daysOfPlacement(period);
      const firstDays = Array.from({ length: 5 }, (_, index) => start + 24 * hour * index);
      const expected = await Promise.all(
        firstDays.map(async (midnight) => {
          const to = Math.min(period.to, midnight + 24 * hour);
          const ofDay = { ...period, from: Math.max(period.from, midnight), to };
          const targets = ofDay.from < to ? await queries.ofPlacement(ofDay) : [];
          const whole = to > period.from ? await queries.ofPlacement({ ...period, to }) : [];
          return { day: new Date(midnight).toISOString().slice(0, 10), targets, comparison: comparisonOf(whole) };
        }),
      );
      const served = expected.filter(({ targets }) => targets.length > 0);
      expect(days.map(({ day }) => day)).toEqual(served.map(({ day }) => day));
      for (const [index, { targets, comparison }] of days.entries()) {
        const wanted = served[index]!;
        expect(comparison).toEqual(nearly(wanted.comparison));
        expect(targets).toMatchObject(wanted.targets.filter(({ paywallId }) => paywallId === null).map(figuresOf));
      }
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 120_000);

const comparisonOf = (rows: Awaited<ReturnType<PlacementReportQueries['ofPlacement']>>) =>
  rows.find(({ comparison }) => comparison !== null)?.comparison ?? null;
const figuresOf = (row: Awaited<ReturnType<PlacementReportQueries['ofPlacement']>>[number]) => {
  const { target, requests, draws, uniqueImpressions, conversions, revenueUsd } = row;
  return { target, requests, draws, uniqueImpressions, conversions, revenueUsd };
};

const comparable = ({ ai, baseline, usdPerDraw, spread }: Comparison) => ({
  ai: { ...ai, usdPerDraw: Number(ai.usdPerDraw) },
  baseline: { ...baseline, usdPerDraw: Number(baseline.usdPerDraw) },
  usdPerDraw: Number(usdPerDraw),
  ...{ profiles: spread.profiles, squaredSurplus: spread.squaredSurplus, cubedSurplus: spread.cubedSurplus },
});
type Comparison = NonNullable<Awaited<ReturnType<PlacementReportQueries['ofPlacement']>>[number]['comparison']>;

/** The same, its numbers to the fifth digit behind the point: answers are rounded. */
function nearly(value: unknown): unknown {
  if (typeof value === 'number') return expect.closeTo(value, 5);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, nearly(each)]));
}
