import fc from 'fast-check';
import type { Queryable } from '../database.ts';
import {
  insertBought,
  insertBoughtAgain,
  insertDecision,
  insertShown,
  insertSuperseded,
  type DecidedRow,
} from './report-rows.ts';

/** A decision, and what came of it. Times are in hours from the beginning of the log; places are indices into it. */
export interface LoggedDecision {
  readonly hour: number;
  readonly profile: string;
  readonly placementId: string;
  readonly model: number | null;
  readonly target: 'ai_model' | 'baseline' | 'placement';
  readonly paywallId: number;
  readonly draw: 'none' | 'here' | 'further';
  readonly aiWeight: number;
  readonly baselineWeight: number;
  readonly isKept: boolean;
  /** Of the profile's kept decision before, if it has one here: this one repeats it. */
  readonly repeats: boolean;
  readonly isSuperseded: boolean;
  /** How long after it the client told that it was shown, and whether it named the decision. */
  readonly shown: { readonly hoursLater: number; readonly hasToken: boolean } | null;
  readonly bought: readonly Bought[];
}

interface Bought {
  /** Of each movement; null without a rate. */
  readonly cents: readonly (number | null)[];
  readonly isSandbox: boolean;
  readonly isFamilyShared: boolean;
  /** The last chain of the log in place of a new one, bought again after it lapsed. */
  readonly again: boolean;
}

const weights = fc.constantFrom([90, 10], [90, 10], [50, 50], [50, 50], [0.3, 99.7], [100, 0], [1e308, 1e-300]);
const bought: fc.Arbitrary<Bought> = fc.record({
  cents: fc.array(fc.option(fc.integer({ min: -900, max: 5_000 }), { freq: 6 }), { maxLength: 3 }),
  isSandbox: fc.nat(5).map((one) => one === 0),
  isFamilyShared: fc.nat(5).map((one) => one === 0),
  again: fc.nat(3).map((one) => one === 0),
});

/** @param days how many the log spans */
export const anyReportLog = (days: number): fc.Arbitrary<readonly LoggedDecision[]> =>
  fc
    .array(
      fc
        .record({
          hour: fc.nat(24 * days - 1),
          profile: fc.constantFrom('ann', 'bob', 'cid', 'dan', 'eve'),
          placementId: fc.constantFrom(...Array<string>(7).fill('onboarding'), 'settings'),
          model: fc.constantFrom(null, 1, 1, 2),
          target: fc.constantFrom('ai_model' as const, 'ai_model' as const, 'ai_model' as const, 'baseline' as const, 'baseline' as const, 'placement' as const), // prettier-ignore
          paywallId: fc.integer({ min: 11, max: 13 }),
          draw: fc.constantFrom('none' as const, 'here' as const, 'here' as const, 'here' as const, 'further' as const),
          weights,
          isKept: fc.boolean(),
          repeats: fc.nat(3).map((one) => one === 0),
          isSuperseded: fc.nat(7).map((one) => one === 0),
          shown: fc.option(fc.record({ hoursLater: fc.nat(30), hasToken: fc.boolean() })),
          bought: fc.array(bought, { maxLength: 2 }),
        })
        .map(({ weights: [aiWeight = 0, baselineWeight = 0], ...others }) => ({
          ...others,
          ...{ aiWeight, baselineWeight },
          ...(others.target === 'placement' && { draw: 'further' as const }),
        })),
      { minLength: 20, maxLength: 80, size: 'max' },
    )
    .map((log) => [...log].sort((a, b) => a.hour - b.hour));

export interface ReportLog {
  readonly start: number;
  readonly log: readonly LoggedDecision[];
}

const hour = 3_600_000;

const nameOf = (index: number): string => `decision ${index}`;

/** The first index of what it repeats: the profile's last kept decision here; null if it repeats none. */
export function repeatedBy(log: readonly LoggedDecision[], index: number): number | null {
  const { profile, placementId, repeats } = log[index]!;
  if (!repeats) return null;
  const before = log.slice(0, index).map((one, place) => ({ ...one, place }));
  return before.findLast((one) => one.profile === profile && one.placementId === placementId && one.isKept && repeatedBy(log, one.place) === null)?.place ?? null; // prettier-ignore
}

/** The first showing of each paywall to each profile, by what was told first. */
export function firstShowings(log: readonly LoggedDecision[]) {
  const told = log.flatMap(({ shown, hour, profile, paywallId, placementId }, index) =>
    shown === null
      ? []
      : [{ at: hour + shown.hoursLater, index, profile, paywallId, placementId, hasToken: shown.hasToken }],
  );
  const first = new Map<string, (typeof told)[number]>();
  for (const one of told.sort((a, b) => a.at - b.at || a.index - b.index)) {
    const key = `${one.profile}/${one.paywallId}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

export async function insertReportLog(database: Queryable, { start, log }: ReportLog): Promise<void> {
  for (const [index, decision] of log.entries()) await insertLogged(database, start, log, index, decision);
  for (const { at, index, profile, paywallId, placementId, hasToken } of firstShowings(log))
    await insertShown(database, { name: nameOf(index), profile, paywallId, placementId, time: start + at * hour }, { hasToken }); // prettier-ignore
  await insertPurchases(database, log);
}

async function insertLogged(
  database: Queryable,
  start: number,
  log: readonly LoggedDecision[],
  index: number,
  decision: LoggedDecision,
): Promise<void> {
  const { profile, placementId, model, target, paywallId, draw, aiWeight, baselineWeight, isKept } = decision;
  const first = repeatedBy(log, index);
  const row: DecidedRow = {
    ...{ name: nameOf(index), profile, placementId, target, paywallId, time: start + decision.hour * hour },
    externalId: `paywall-${paywallId}`,
    ...(model !== null && { model }),
    weight: draw === 'none' ? null : 1,
    ...(draw === 'further' && { next: 'elsewhere' }),
    ...(draw !== 'none' && first === null && { weighing: { aiWeight, baselineWeight } }),
    ...((isKept || first !== null) && { stickyUntil: start }),
    ...(first !== null && { repeats: nameOf(first) }),
  };
  await insertDecision(database, row);
  if (decision.isSuperseded) await insertSuperseded(database, nameOf(index), profile);
}

/** What was bought, with the chain that it is in: its number in the log, and the decision that it came of at first. */
export function chainsOf(log: readonly LoggedDecision[]) {
  let open: { readonly chain: number; readonly first: number; readonly bought: Bought } | null = null;
  let chains = 0;
  return log.flatMap(({ bought }, index) =>
    bought.map((one) => {
      const [cents] = one.cents;
      const again = one.again && open !== null && open.first !== index && cents != null ? { ...open, cents } : null;
      open = again === null ? { chain: chains++, first: index, bought: one } : null;
      return { index, bought: one, again, chain: again?.chain ?? chains - 1 };
    }),
  );
}

async function insertPurchases(database: Queryable, log: readonly LoggedDecision[]): Promise<void> {
  for (const { index, bought, again, chain } of chainsOf(log)) {
    const sold = { name: nameOf(index), chain: String(chain) };
    if (again !== null) await insertBoughtAgain(database, { ...sold, usd: String(again.cents / 100) });
    else {
      const usd = bought.cents.map((sum) => (sum === null ? null : String(sum / 100)));
      const environment = bought.isSandbox ? 'sandbox' : 'production';
      await insertBought(database, { ...sold, usd, environment, isFamilyShared: bought.isFamilyShared });
    }
  }
}
