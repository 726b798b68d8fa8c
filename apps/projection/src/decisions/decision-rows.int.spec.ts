import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { PaywallServed } from '@paywright/contracts';
import { createPool } from '@paywright/event-sourcing';
import { derivedId } from '@paywright/platform';
import fc from 'fast-check';
import { eventRecord, profileA, served, superseded } from '../testing/event-log.ts';
import { rowsAfter, rowsOf, testReadModel } from '../testing/read-model.ts';
import { knowsDecisions } from './decision.sql.ts';
import { decisionsProjection } from './decisions.projection.ts';

const { pool, url, schema } = await testReadModel();
const projection = decisionsProjection(new Set());
const tables = ['decision', 'superseded_decision', 'profile_event'] as const;
const decisionId = derivedId('decision');
const migrations = join(import.meta.dirname, '../../../../prisma/read-model/migrations');

const weight = fc.oneof(fc.constantFrom(0, 1, 90, 1e308, 1e-300), fc.double({ min: 0, max: 100, noNaN: true }));
const step = (placementId: string) =>
  fc.record({
    placementId: fc.constant(placementId),
    target: fc.constantFrom('ai_model' as const, 'baseline' as const, 'placement' as const),
    weight: fc.option(weight),
  });
const weighingWith = (weights: { readonly aiWeight: number; readonly baselineWeight: number }) => ({
  ...{ model: 'main', policy: 'uniform-1', baselinePaywall: 'calm', baselinePropensity: 0.5 },
  ...{ utcOffsetMinutes: null, candidates: [], ...weights },
});
/** What a decision says that its row has. */
const anyServed: fc.Arbitrary<Partial<PaywallServed['body']>> = fc.record(
  {
    placementId: fc.constantFrom('onboarding', 'quote " \\ \u00e9 \u{1f600}'),
    externalId: fc.constantFrom('calm_v1', 'it\'s "bold"'),
    paywallId: fc.integer({ min: 1, max: 99 }),
    target: fc.constantFrom('ai_model' as const, 'baseline' as const, 'placement' as const),
    path: fc.oneof(fc.tuple(step('onboarding')), fc.tuple(step('onboarding'), step('settings'))),
    aiPricingModelId: fc.option(fc.integer({ min: 1, max: 9 })),
    stickyUntil: fc.option(fc.integer({ min: 0, max: 4_102_444_800_000 })),
    stickyTo: fc.option(fc.constant(derivedId('first'))),
    weighing: fc.record({ aiWeight: weight, baselineWeight: weight }).map(weighingWith),
  },
  { requiredKeys: [] },
);
const log = (changes: readonly Partial<PaywallServed['body']>[]) => [
  ...changes.map((change, index) =>
    eventRecord('selection', profileA, index + 1, served(profileA, derivedId(`${index}`), change)),
  ),
  eventRecord('selection', profileA, changes.length + 1, superseded(profileA, derivedId('0'))),
];

it('has what reports ask of a decision', async () => {
  const changes = {
    ...{ target: 'ai_model' as const, aiPricingModelId: 3, stickyUntil: 9, stickyTo: derivedId('first') },
    path: [{ placementId: 'onboarding', target: 'ai_model' as const, weight: 90 }],
    weighing: weighingWith({ aiWeight: 90, baselineWeight: 0.1 }),
  };
  const records = [eventRecord('selection', profileA, 1, served(profileA, decisionId, changes))];
  const [rows] = await rowsAfter(pool, projection, records, tables);
  expect(rows).toEqual([
    {
      ...{ profile_id: profileA, decision_id: decisionId, version: 1, time: new Date('2026-01-01T00:00:01Z') },
      ...{
        app_id: 7,
        placement_id: 'onboarding',
        target: 'ai_model',
        paywall_id: 12,
        external_id: 'calm_v1',
        model: 3,
      },
      ...{ is_drawn: true, ai_weight: 90, baseline_weight: 0.1, is_kept: true, sticky_to: derivedId('first') },
    },
  ]);
});

it('has no weights of a draw that led on to another placement', async () => {
  const path = ['onboarding', 'settings'].map((placementId) => ({
    placementId,
    target: 'placement' as const,
    weight: 1,
  }));
  const records = log([{ path, weighing: weighingWith({ aiWeight: 1, baselineWeight: 1 }) }]);
  const [rows] = await rowsAfter(pool, projection, records, tables);
  expect(rows).toMatchObject([{ is_drawn: true, ai_weight: null, baseline_weight: null }]);
});

it('knows what was superseded, whether its decision comes before, later or never', async () => {
  const served1 = served(profileA, decisionId);
  const orders = [[served1, superseded(profileA, decisionId)], [superseded(profileA, decisionId), served1], [superseded(profileA, decisionId)]]; // prettier-ignore
  for (const events of orders) {
    const records = events.map((event, index) => eventRecord('selection', profileA, index + 1, event));
    const [, rows] = await rowsAfter(pool, projection, records, tables, { sizes: [1] });
    expect(rows).toEqual([{ profile_id: profileA, decision_id: decisionId }]);
  }
});

it('is the same row where the version before stores the event, and where it did so before there was the table', async () => {
  const fillIn = readFileSync(join(migrations, '20261128100100_fill_in_decisions', 'migration.sql'), 'utf8');
  await fc.assert(
    fc.asyncProperty(fc.array(anyServed, { minLength: 1, maxLength: 8 }), async (changes) => {
      const [decisions, ended, events] = await rowsAfter(pool, projection, log(changes), tables);
      expect([decisions?.length, ended?.length]).toEqual([changes.length, 1]);
      const expectSame = async () =>
        expect([await rowsOf(pool, 'decision'), await rowsOf(pool, 'superseded_decision')]).toEqual([decisions, ended]);

      await pool.query('truncate decision, superseded_decision');
      await pool.query(fillIn);
      await expectSame();

      await pool.query('truncate decision, superseded_decision, profile_event');
      await pool.query('alter table profile_event enable trigger know_decision');
      const store = 'insert into profile_event select * from json_populate_recordset(null::profile_event, $1)';
      await pool.query(store, [JSON.stringify(events)]);
      await pool.query('alter table profile_event disable trigger know_decision');
      await expectSame();
    }),
    { numRuns: 30 },
  );
});

it('is stored once by a session that says that it stores it', async () => {
  await pool.query('alter table profile_event enable trigger know_decision');
  const asleep = createPool({ databaseUrl: url, schema, max: 1, settings: knowsDecisions });
  const store = `insert into profile_event (profile_id, service, version, type, decision_id, data, app_id, time, id)
    values ($1, 'selection', 1, 'DecisionSuperseded', $2, '{}', 7, now(), $2)`;
  await asleep.query(store, [profileA, decisionId]);
  await asleep.end();
  expect(await rowsOf(pool, 'superseded_decision')).toEqual([]);
  await pool.query('alter table profile_event disable trigger know_decision');
});
