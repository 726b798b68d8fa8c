import type { LedgerRow } from './ledger-row.ts';

/** Of a rate: how often it came so, and how often not. */
export interface Tally {
  yes: number;
  no: number;
}

/** Of what hangs on the product and the plan that it is sold by. */
export const renewalKey = (product: string, plan: string): string => `${product}\0${plan}`;

export const tallyOf = (table: Map<string, Tally>, key: string) => held(table, key, () => ({ yes: 0, no: 0 }));

/** What is known for sure of a row's trial and of its renewals; null of what it never had, or nothing is known of yet. */
export function resolvedOf(row: LedgerRow) {
  const { plan, trialDays, stage, payments } = row;
  const isTrialOver = trialDays > 0 && stage !== 'trial' && !row.isTrialYoung;
  const paidFor = payments > 0 ? 1 : 0;
  const trial: Tally | null = isTrialOver ? { yes: paidFor, no: 1 - paidFor } : null;
  if (payments === 0 || plan === 'one-time') return { trial, renewal: null };
  const { changes = 0 } = row;
  // Who changed to another plan neither renewed this one nor left.
  if (changes > 0) return { trial, renewal: payments > changes + 1 ? { yes: payments - changes - 1, no: 0 } : null };
  const yes = payments - 1 - (row.isChargeYoung && payments > 1 ? 1 : 0);
  const no = stage === 'ended' && !row.isEndYoung ? 1 : 0;
  const renewal: Tally | null = yes + no > 0 ? { yes, no } : null;
  return { trial, renewal };
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
