import type { FeatureEncoder } from '../features/feature-encoder.ts';
import { atMost } from '../numbers/at-most.ts';
import { compareHashes, hash64, type Hash64 } from '../numbers/hash64.ts';
import type { LedgerRow } from '../value/ledger-row.ts';
import { averageDays } from '../value/project-value.ts';
import { refundableDays } from '../value/refund-tally.ts';
import { held } from '../value/tally.ts';
import type { MoneyRecord, StartRecord } from './learning-record.ts';

const dayMs = 86_400_000;
/**
 * So long after its day a charge that did not come is taken for an end that nobody told. Stores try longer to collect;
 * if they succeed, the charge is a fact, and the row goes on.
 */
const graceDays = 3;
/** As much longer than on average some months, quarters or half-years last at most. */
const longerBy = 1.5;
/**
 * An amount counts as at most that many median amounts of the ledger: a dear lifetime is some thirty usual charges. More is
 * somebody's mistake of a unit, and would decide alone what every start is thought to bring.
 */
const mostMedians = 100;
/** As that much in any case: lifetimes of some hundred USD are sold beside weeks of less than one. */
const usualUsd = 500;
/** And never as more than this: no store charges so much. */
const mostUsd = 1_000_000;

/** A start, the variant's row when it was shown, and whether its exposure counts: one that comes too late does not. */
export interface CreditedStart {
  readonly start: StartRecord;
  readonly arm: number;
  readonly isShown: boolean;
}

/** One in the ledger, with its context's columns as of the last reading. */
export interface LedgerEntry extends Omit<CreditedStart, 'isShown'> {
  readonly hash: Hash64;
  isShown: boolean;
  active: Int32Array;
}

export interface LedgerState {
  readonly starts: readonly CreditedStart[];
  readonly money: readonly MoneyRecord[];
}

const none: readonly MoneyRecord[] = [];

/**
 * What is known of starts and their money: two sets, so that neither order nor repetition matters. Read in the order
 * of `hash64(seed, id)`.
 */
export class ConversionLedger {
  readonly #seed: string;
  readonly #chains = new Set<string>();
  readonly #entries: LedgerEntry[] = [];
  /** By exposure: those that wait for it. */
  readonly #unshown = new Map<string, LedgerEntry[]>();
  #isOrdered = true;
  /** By chain, in the order of time. */
  readonly #money = new Map<string, MoneyRecord[]>();

  constructor(seed: string, { starts, money }: LedgerState = { starts: [], money: [] }) {
    this.#seed = seed;
    for (const { start, arm, isShown } of starts) this.addStart(start, arm, isShown);
    for (const record of money) this.addMoney(record);
  }

  get starts(): number {
    return this.#entries.length;
  }

  has(chain: string): boolean {
    return this.#chains.has(chain);
  }

  /** @param start of a chain that is not here yet @param isShown whether its exposure is here */
  addStart(start: StartRecord, arm: number, isShown = true): void {
    this.#chains.add(start.id);
    const hash = hash64(`${this.#seed}\0${start.id}`);
    const entry: LedgerEntry = { start, arm, hash, isShown, active: new Int32Array(0) };
    this.#entries.push(entry);
    this.#isOrdered = false;
    if (!isShown) held(this.#unshown, start.exposure.id, (): LedgerEntry[] => []).push(entry);
  }

  /** An exposure came behind its starts. */
  show(exposure: string): void {
    for (const entry of this.#unshown.get(exposure) ?? []) entry.isShown = true;
    this.#unshown.delete(exposure);
  }

  /** Money may come before its start, and waits for it. */
  addMoney(record: MoneyRecord): void {
    if (!Number.isFinite(record.usd) || !Number.isFinite(record.nextChargeUsd ?? 0))
      throw new RangeError('An amount of money is a finite number.');
    const ofChain = this.#money.get(record.chain);
    if (ofChain === undefined) {
      this.#money.set(record.chain, [record]);
    } else if (ofChain.every(({ id }) => id !== record.id)) {
      ofChain.push(record);
      ofChain.sort((one, other) => one.at - other.at || byText(one.id, other.id));
    }
  }

  /**
   * All starts and what became of them by then. Money counts that came within the horizon.
   * @param encoder of the dictionary that all readings are by
   */
  rows(
    now: number,
    horizonDays: number,
    encoder: FeatureEncoder,
  ): readonly { readonly entry: LedgerEntry; readonly row: LedgerRow }[] {
    const most = this.#mostUsd();
    return this.#ordered().map((entry) => {
      const { id, at, exposure } = entry.start;
      // A field may have been added since it was encoded.
      if (entry.active.length !== encoder.columns) entry.active = encoder.assign(exposure.values).slice();
      return { entry, row: rowFor(entry, this.#money.get(id) ?? none, { now, until: at + horizonDays * dayMs, most }) };
    });
  }

  state(): LedgerState {
    const chains = [...this.#money].sort(([one], [other]) => byText(one, other));
    return {
      starts: this.#ordered().map(({ start, arm, isShown }) => ({ start, arm, isShown })),
      money: chains.flatMap(([, ofChain]) => ofChain),
    };
  }

  /** What an amount counts as at most, by all that was charged or announced. */
  #mostUsd(): number {
    const amounts: number[] = [];
    for (const ofChain of this.#money.values()) {
      for (const { kind, usd, nextChargeUsd } of ofChain) {
        if (kind === 'charge' && usd > 0) amounts.push(usd);
        if (nextChargeUsd !== null && nextChargeUsd > 0) amounts.push(nextChargeUsd);
      }
    }
    const median = Float64Array.from(amounts).sort()[amounts.length >> 1] ?? mostUsd;
    return Math.max(usualUsd, atMost(mostUsd, mostMedians * median));
  }

  #ordered(): readonly LedgerEntry[] {
    if (this.#isOrdered) return this.#entries;
    this.#entries.sort((one, other) => compareHashes(one.hash, other.hash) || byText(one.start.id, other.start.id));
    this.#isOrdered = true;
    return this.#entries;
  }
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function rowFor(
  { start, arm, active }: LedgerEntry,
  money: readonly MoneyRecord[],
  { now, until, most }: { readonly now: number; readonly until: number; readonly most: number },
): LedgerRow {
  const { id, product, plan, country, periodDays, trialDays } = start;
  const isTold = toldOf(money);
  let payments = 0;
  let changes = 0;
  let unvalued = 0;
  let refunds = 0;
  let unvaluedRefunds = 0;
  let charged = 0;
  let chargedUsd = 0;
  let realisedUsd = 0;
  let extrasUsd = 0;
  let endedAt = -Infinity;
  let nextChargeUsd: number | null = null;
  let changedUsd: number | null = null;
  let first: MoneyRecord | null = null;
  let last: MoneyRecord | null = null;
  let beforeLast: MoneyRecord | null = null;
  /** That were not given back, as far as anybody knows: a refund is of the last one. */
  const kept: { readonly at: number; readonly usd: number }[] = [];
  const refundedAfter: number[] = [];
  for (const record of money) {
    const usd = atMost(most, record.usd);
    const counts = record.at < until ? usd : 0;
    const isUnvalued = record.valuedBy !== undefined;
    nextChargeUsd = record.nextChargeUsd ?? nextChargeUsd;
    if (isTold(record)) continue;
    if (record.kind === 'charge' || (isUnvalued && record.kind === 'extra')) {
      first ??= record;
      beforeLast = last;
      last = record;
      payments++;
      unvalued += isUnvalued ? 1 : 0;
      const isOther = isOtherPeriod(record, periodDays);
      changes += isOther ? 1 : 0;
      changedUsd = isOther && !isUnvalued ? usd : null;
      charged += isOther || isUnvalued ? 0 : 1;
      chargedUsd += isOther ? 0 : usd;
      realisedUsd += counts;
      kept.push({ at: record.at, usd: counts });
    } else if (record.kind === 'refund') {
      refunds++;
      unvaluedRefunds += isUnvalued ? 1 : 0;
      // Of the last charge, as far as anybody knows: where that came too late to count, it is not taken back either.
      if (last === null || last.at < until) realisedUsd -= usd;
      const givenBack = kept.pop();
      if (givenBack !== undefined) refundedAfter.push((record.at - givenBack.at) / dayMs);
    } else if (record.kind === 'extra') {
      extrasUsd += counts;
    } else {
      endedAt = record.at;
    }
  }
  // The next one may last longer than the first did.
  const lastDays = last !== null && isOtherPeriod(last, periodDays) ? last.periodDays : periodDays;
  const nextDays = averageDays(lastDays);
  // A half-year of 184 days is not over when one that lasts as on average is.
  const longest = nextDays === lastDays ? nextDays : nextDays + longerBy;
  const trialUntil = start.at + trialDays * dayMs;
  const paidUntil = (charge: MoneyRecord | null) => (charge === null ? trialUntil : charge.at + nextDays * dayMs);
  const hasEnded = endedAt > -Infinity && (last === null || endedAt >= last.at);
  const isYoung = (due: number) => now <= due + graceDays * dayMs;
  const openUntil = hasEnded ? endedAt : now;
  // As a limit it has to allow for periods shorter than on average; of a plan that was changed to it is all that is expected.
  const tolerance = changes > 0 ? 0 : graceDays;
  // A one-time purchase has but one charge to come. A promotion code's never comes.
  const hasLapsed = (plan !== 'one-time' || last === null) && !isYoung(paidUntil(last));
  return {
    id,
    active,
    arm,
    product,
    plan,
    country,
    periodDays,
    trialDays,
    trialGone: goneOf(start.at, trialDays, first?.at ?? openUntil),
    periodGone: last === null ? 0 : goneOf(last.at, nextDays, openUntil, longest),
    stage: hasEnded || hasLapsed ? 'ended' : payments === 0 && trialDays > 0 ? 'trial' : 'paid',
    isTrialYoung: isYoung(trialUntil),
    isChargeYoung: isYoung(paidUntil(beforeLast)),
    isEndYoung: isYoung(paidUntil(last)),
    payments,
    ...(last !== null && { renewalsLeft: dueWithin((until - last.at) / dayMs + tolerance, nextDays) }),
    unvalued,
    changes,
    refunds: refunds < payments ? refunds : payments,
    unvaluedRefunds,
    refundedAfter,
    refundable: kept
      .map(({ at, usd }) => ({ usd, days: (now - at) / dayMs }))
      .filter(({ days }) => days < refundableDays),
    charged,
    chargedUsd,
    realisedUsd,
    extrasUsd,
    nextChargeUsd: changedUsd ?? (nextChargeUsd === null ? null : atMost(most, nextChargeUsd)),
  };
}

/** Whether another record tells by now what nobody could value before. */
function toldOf(money: readonly MoneyRecord[]): (record: MoneyRecord) => boolean {
  if (money.every(({ valuedBy }) => valuedBy === undefined)) return () => false;
  const known = new Set(money.map(({ id }) => id));
  return ({ valuedBy }) => valuedBy !== undefined && known.has(valuedBy);
}

/** Whether a charge is of a plan of another length than the start's. That was learned before, and perhaps of another plan. */
const isOtherPeriod = (charge: MoneyRecord, periodDays: number): charge is MoneyRecord & { periodDays: number } =>
  charge.periodDays !== undefined && Math.abs(charge.periodDays - periodDays) > graceDays;

/** How many periods end within some days; one that ends with them does not. */
const dueWithin = (days: number, periodDays: number): number => Math.max(0, Math.ceil(days / periodDays) - 1);

/**
 * How much of some days is gone: from 0 to 1, and on to 2 within the days in which silence tells an end.
 * @param longest so many days it may be until silence says anything
 */
function goneOf(begin: number, days: number, at: number, longest = days): number {
  const passed = (at - begin) / dayMs;
  if (passed <= longest) return passed > 0 ? Math.min(1, passed / days) : 0;
  return Math.min(2, 1 + (passed - longest) / graceDays);
}
