import type { LedgerRow } from './ledger-row.ts';

/** Of a rate: how often it came so, and how often not. */
export interface Tally {
  yes: number;
  no: number;
}

export const tallyOf = (table: Map<string, Tally>, key: string) => held(table, key, () => ({ yes: 0, no: 0 }));

/**
 * Renewals that have a rate of their own: people leave most at the first, from the first paid period to the second, and then
 * less and less.
 */
export const renewalSteps = ['first', 'later'] as const;

/** Of the n-th renewal, from 1 on: its place in `renewalSteps`. */
export const stepOf = (nth: number): number => Math.min(nth, renewalSteps.length) - 1;

export interface Resolved {
  readonly trial: Tally | null;
  readonly renewals: readonly Tally[];
}

/**
 * What is known for sure of a row's trial, null if there was none or nothing is known of it yet; and of its renewals, by step.
 */
export function resolvedOf(row: LedgerRow): Resolved {
  const { plan, trialDays, stage, payments } = row;
  const isTrialOver = trialDays > 0 && stage !== 'trial' && !row.isTrialYoung;
  const paidFor = payments > 0 ? 1 : 0;
  const trial: Tally | null = isTrialOver ? { yes: paidFor, no: 1 - paidFor } : null;
  if (payments === 0 || plan === 'one-time') return { trial, renewals: [] };
  const { changes = 0 } = row;
  // Who changed to another plan neither renewed this one nor left.
  if (changes > 0) return { trial, renewals: bySteps(Math.max(0, payments - changes - 1), 0) };
  const yes = payments - 1 - (row.isChargeYoung && payments > 1 ? 1 : 0);
  return { trial, renewals: bySteps(yes, stage === 'ended' && !row.isEndYoung ? 1 : 0) };
}

/** @param yes how often it was renewed @param no 1 if it was not at the next time */
function bySteps(yes: number, no: number): readonly Tally[] {
  const last = stepOf(Infinity);
  const tallies: Tally[] = [];
  for (let step = 0; step <= stepOf(yes + no); step++) {
    const ofStep = step < last ? Math.min(1, Math.max(0, yes - step)) : yes - last;
    tallies.push({ yes: ofStep, no: step === stepOf(yes + 1) ? no : 0 });
  }
  return tallies;
}

export function add(tally: Tally, { yes, no }: Tally): void {
  tally.yes += yes;
  tally.no += no;
}

export function held<Key, Value>(table: Map<Key, Value>, key: Key, fresh: () => Value): Value {
  const known = table.get(key);
  if (known !== undefined) return known;
  const value = fresh();
  table.set(key, value);
  return value;
}

/** With pseudo-counts [yes, no]. */
export const meanOf = (tally: Tally = { yes: 0, no: 0 }, [yes, no]: readonly [number, number]) =>
  (tally.yes + yes) / (tally.yes + tally.no + yes + no);

/**
 * The root of the mean squared error of an estimate, as who believes the prior's mean as if so many observations said it
 * sees it.
 */
export function errorOf(
  estimate: number,
  tally: Tally = { yes: 0, no: 0 },
  priorMean: number,
  strength: number,
): number {
  const believed = meanOf(tally, [strength * priorMean, strength * (1 - priorMean)]);
  const seen = tally.yes + tally.no + strength;
  return Math.sqrt((believed * (1 - believed)) / (seen + 1) + (believed - estimate) ** 2);
}

/**
 * How much a rate grows with the one before it, which its log odds follow by the slope until it is seen itself.
 * @param next what is believed of it before any is seen, as if so many observations said it
 */
export function followedBy(
  rate: number,
  { prior, strength }: { readonly prior: number; readonly strength: number },
  { yes, no }: Tally = { yes: 0, no: 0 },
  slope: number,
): number {
  return (slope * prior * (1 - prior) * strength) / (rate * (1 - rate) * (yes + no + strength));
}
