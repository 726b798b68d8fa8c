import { atMost } from '../numbers/at-most.ts';
import type { LedgerRow, RefundableCharge } from '../value/ledger-row.ts';
import { averageDays } from '../value/project-value.ts';
import { refundableDays } from '../value/refund-tally.ts';
import type { Bought } from './kept-conversions.ts';
import type { MoneyRecord } from './learning-record.ts';

const dayMs = 86_400_000;
/**
 * So long after its day a charge that did not come is taken for an end that nobody told. Stores try longer to collect;
 * if they succeed, the charge is a fact, and the row goes on.
 */
const graceDays = 3;
/** As much longer than on average some months, quarters or half-years last at most. */
const longerBy = 1.5;

interface Bounds {
  readonly now: number;
  /** Later money counts for nothing. */
  readonly until: number;
  /** What an amount counts as at most. */
  readonly most: number;
}

interface Started extends Pick<LedgerRow, 'active' | 'arm'> {
  readonly at: number;
  readonly bought: Bought;
}

/** What is known of a start and its money by now. @param money of its chain, in the order of time */
export function rowFor(
  { at: startedAt, bought, arm, active }: Started,
  money: readonly MoneyRecord[],
  bounds: Bounds,
): LedgerRow {
  const { product, plan, country, periodDays, trialDays } = bought;
  const { now, until } = bounds;
  const sums = sumUp(money, periodDays, bounds);
  const { payments, changes, refunds, last, endedAt } = sums;
  // The next one may last longer than the first did.
  const lastDays = last !== null && isOtherPeriod(last, periodDays) ? last.periodDays : periodDays;
  const nextDays = averageDays(lastDays);
  // A half-year of 184 days is not over when one that lasts as on average is.
  const longest = nextDays === lastDays ? nextDays : nextDays + longerBy;
  const trialUntil = startedAt + trialDays * dayMs;
  const paidUntil = (charge: MoneyRecord | null) => (charge === null ? trialUntil : charge.at + nextDays * dayMs);
  const hasEnded = endedAt > -Infinity && (last === null || endedAt >= last.at);
  const isYoung = (due: number) => now <= due + graceDays * dayMs;
  const openUntil = hasEnded ? endedAt : now;
  // As a limit it has to allow for periods shorter than on average; of a plan that was changed to it is all that is expected.
  const tolerance = changes > 0 ? 0 : graceDays;
  const isEndYoung = isYoung(paidUntil(last));
  // A one-time purchase has but one charge to come. A promotion code's never comes.
  const hasLapsed = (plan !== 'one-time' || last === null) && !isEndYoung;
  // All of one shape, and none made of others: that takes as long as all else here.
  return {
    active,
    arm,
    product,
    plan,
    country,
    periodDays,
    trialDays,
    trialGone: goneOf(startedAt, trialDays, sums.first?.at ?? openUntil),
    periodGone: last === null ? 0 : goneOf(last.at, nextDays, openUntil, longest),
    stage: hasEnded || hasLapsed ? 'ended' : payments === 0 && trialDays > 0 ? 'trial' : 'paid',
    isTrialYoung: isYoung(trialUntil),
    isChargeYoung: isYoung(paidUntil(sums.beforeLast)),
    isEndYoung,
    payments,
    renewalsLeft: last === null ? Infinity : dueWithin((until - last.at) / dayMs + tolerance, nextDays),
    changes,
    unvalued: sums.unvalued,
    refunds: refunds < payments ? refunds : payments,
    unvaluedRefunds: sums.unvaluedRefunds,
    refundedAfter: sums.refundedAfter,
    refundable: refundableOf(sums.kept, now),
    charged: sums.charged,
    chargedUsd: sums.chargedUsd,
    realisedUsd: sums.realisedUsd,
    extrasUsd: sums.extrasUsd,
    nextChargeUsd: sums.nextChargeUsd,
  };
}

/** Of charges that were kept so far, those that may be given back yet. */
function refundableOf(kept: readonly Kept[], now: number): readonly RefundableCharge[] {
  const refundable: RefundableCharge[] = [];
  for (const { at, usd } of kept) {
    const days = (now - at) / dayMs;
    if (days < refundableDays) refundable.push({ usd, days });
  }
  return refundable;
}

/** A charge. */
interface Kept {
  readonly at: number;
  readonly usd: number;
}

/** What a chain's money comes to, in the order of time. */
function sumUp(money: readonly MoneyRecord[], periodDays: number, { until, most }: Bounds) {
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
  const kept: Kept[] = [];
  const givenBack: Kept[] = [];
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
      const charge = kept.pop();
      if (charge === undefined) continue;
      givenBack.push(charge);
      refundedAfter.push((record.at - charge.at) / dayMs);
    } else if (record.reverses && refunds > 0) {
      refunds--;
      if (last === null || last.at < until) realisedUsd += usd;
      const charge = givenBack.pop();
      if (charge === undefined) continue;
      kept.push(charge);
      refundedAfter.pop();
    } else if (record.kind === 'extra') {
      extrasUsd += counts;
      if (record.renews) endedAt = -Infinity;
    } else {
      endedAt = record.at;
    }
  }
  nextChargeUsd = changedUsd ?? (nextChargeUsd === null ? null : atMost(most, nextChargeUsd));
  return { payments, unvalued, changes, refunds, unvaluedRefunds, refundedAfter, charged, chargedUsd, realisedUsd, extrasUsd, kept, first, beforeLast, last, endedAt, nextChargeUsd }; // prettier-ignore
}

/** Whether another record tells by now what nobody could value before. */
function toldOf(money: readonly MoneyRecord[]): (record: MoneyRecord) => boolean {
  if (!money.some(isValuedByAnother)) return isNever;
  const known = new Set(money.map(({ id }) => id));
  return ({ valuedBy }) => valuedBy !== undefined && known.has(valuedBy);
}

const isValuedByAnother = ({ valuedBy }: MoneyRecord) => valuedBy !== undefined;
const isNever = () => false;

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
