import type { LedgerRow } from './ledger-row.ts';
import type { LtvTables } from './ltv-tables.ts';
import { renewalSteps, stepOf } from './tally.ts';

/** What is still to come of a start: a first charge, if it waits for one, and renewals. */
interface Outlook {
  /** The share of a charge that is not refunded. */
  readonly kept: number;
  readonly charge: number;
  /** The chance of a first charge that has not come yet; null if there is none to come. */
  readonly first: number | null;
  readonly renewals: Renewals;
  /** How many times as likely the next renewal is, as nobody has told an end by that time of the period. */
  readonly next: number;
}

/** Renewals that the horizon has room for still. */
interface Renewals {
  /** The next one, from 1 on. */
  readonly nth: number;
  readonly count: number;
  /** By step. */
  readonly rates: readonly number[];
}

/**
 * USD that a start is thought to bring within the horizon, without extras: what it brought, and what the tables
 * expect of it still.
 * @param horizonDays from the start on
 */
export function projectValue(row: LedgerRow, tables: LtvTables, horizonDays: number): number {
  const kept = row.realisedUsd - givenBackYet(row, tables);
  const realised = (kept > 0 ? kept : 0) + unvaluedUsd(row, tables, horizonDays);
  const outlook = outlookOf(row, tables, horizonDays);
  if (outlook === null) return realised;
  return realised + outlook.kept * chargesOf(outlook);
}

/** The same of its first day, when nothing was known but its product, its country and who it is. */
export function projectOutset(row: LedgerRow, tables: LtvTables, horizonDays: number): number {
  const charges = chargesWithin(row, horizonDays);
  if (charges === 0) return 0;
  const outlook = outlookOfNew(row, tables, charges, row.trialDays > 0 ? 0 : null);
  return outlook.kept * chargesOf(outlook);
}

/** USD that is still to be charged, before refunds. */
const chargesOf = ({ charge, first, next, renewals }: Outlook): number =>
  first === null ? next * charge * renewed(renewals) : first * charge * (1 + renewed(renewals));

/** USD that was charged, of which refunds are still to come. */
const givenBackYet = ({ product, refundable = [] }: LedgerRow, tables: LtvTables): number =>
  refundable.reduce((sum, { usd, days }) => sum + usd * tables.refund(product, days), 0);

/** What it paid within the horizon, and did not get back, that nobody can value yet is thought to be what such people are charged. */
function unvaluedUsd(row: LedgerRow, tables: LtvTables, horizonDays: number): number {
  const { unvalued = 0, unvaluedRefunds = 0 } = row;
  const counted = Math.min(unvalued, chargesWithin(row, horizonDays)) - unvaluedRefunds;
  return counted > 0 ? counted * tables.chargeUsd(row.product, row.country) : 0;
}

/**
 * USD by which `projectValue` grows with its rates: its derivatives by the rates of renewal, by step, and of trials that
 * convert; and by which it falls with the rate of refunds.
 */
export interface Slopes {
  readonly renewals: readonly number[];
  readonly trial: number;
  readonly refund: number;
}

export function slopesOf(row: LedgerRow, tables: LtvTables, horizonDays: number): Slopes {
  const outlook = outlookOf(row, tables, horizonDays);
  const givenBack = givenBackYet(row, tables) / tables.refund(row.product);
  if (outlook === null) return { renewals: renewalSteps.map(() => 0), trial: 0, refund: givenBack };
  const { kept, charge, first, next, renewals } = outlook;
  const { product, stage, trialGone } = row;
  const sharper =
    stage === 'trial' ? tables.trialToPaid(product, undefined, trialGone) / tables.trialToPaid(product) : 0;
  return {
    renewals: renewedSlopes(renewals).map((slope) => (first ?? next) * kept * charge * slope),
    trial: sharper * kept * charge * (1 + renewed(renewals)),
    refund: givenBack + chargesOf(outlook),
  };
}

/** What a start is thought to bring before anything came of it, whoever started. */
export interface Outset {
  readonly usd: number;
  /** By how much the log of it grows with the log odds of its trial and of its renewals. */
  readonly byTrial: number;
  readonly byRenewal: number;
}

export function outsetOf(row: LedgerRow, tables: LtvTables, horizonDays: number): Outset {
  const charges = chargesWithin(row, horizonDays);
  if (charges === 0) return { usd: 0, byTrial: 0, byRenewal: 0 };
  const trial = row.trialDays > 0 ? tables.trialToPaid(row.product) : 1;
  const renewals = { nth: 1, count: charges - 1, rates: ratesOf(row, tables) };
  const sum = 1 + renewed(renewals);
  const slopes = renewedSlopes(renewals);
  const byLogOdds = renewals.rates.reduce((total, rate, step) => total + rate * (1 - rate) * slopes[step]!, 0);
  return {
    usd: trial * sum * (row.nextChargeUsd ?? tables.chargeUsd(row.product, row.country)),
    byTrial: 1 - trial,
    byRenewal: byLogOdds / sum,
  };
}

const monthDays = 365.25 / 12;
/** One of 28 days, the shortest, is so much shorter than the average. */
const monthsDifferBy = 2.5;

/**
 * How many charges come before the horizon ends; one that is due as it ends is not counted when it comes either. The second
 * is due when the first period ends, and later ones as a period lasts on average: a half-year of 181 days is followed by one
 * of 184, and two of them are a year.
 */
export function chargesWithin(row: Pick<LedgerRow, 'plan' | 'trialDays' | 'periodDays'>, horizonDays: number): number {
  const left = horizonDays - row.trialDays;
  if (left <= 0) return 0;
  if (row.plan === 'one-time' || left <= row.periodDays) return 1;
  const charges = Math.ceil(left / averageDays(row.periodDays));
  return charges < 2 ? 2 : charges;
}

/** What periods last on average of which one lasted so many days: as many months as it may be of, else what it lasted. */
export function averageDays(periodDays: number): number {
  const months = Math.round(periodDays / monthDays) * monthDays;
  const differsBy = periodDays - months;
  if (months > 0 && differsBy >= -monthsDifferBy && differsBy <= monthsDifferBy) return months;
  return periodDays > 1 ? periodDays : 1;
}

/** Null if nothing is to come. */
function outlookOf(row: LedgerRow, tables: LtvTables, horizonDays: number): Outlook | null {
  const charges = chargesWithin(row, horizonDays);
  if (row.stage === 'ended' || charges === 0) return null;
  const { payments: nth } = row;
  if (nth === 0) return outlookOfNew(row, tables, charges, row.stage === 'trial' ? (row.trialGone ?? 0) : null);
  const rates = ratesOf(row, tables, row.active);
  const next = tables.renewal(row.product, row.plan, nth, row.active, row.periodGone) / rates[stepOf(nth)]!;
  const { changes = 0, renewalsLeft = Infinity } = row;
  const count = changes > 0 ? renewalsLeft : Math.min(charges - nth, renewalsLeft);
  return {
    kept: keptOf(row, tables),
    charge: chargeOf(row, tables),
    first: null,
    next,
    renewals: { nth, count, rates },
  };
}

/**
 * Of whom nothing was charged yet: the first charge is as likely as the trial makes it, or is on its way.
 * @param trialGone of a trial that is still open, null of none
 */
function outlookOfNew(row: LedgerRow, tables: LtvTables, charges: number, trialGone: number | null): Outlook {
  const rates = ratesOf(row, tables, row.active);
  const first = trialGone === null ? 1 : tables.trialToPaid(row.product, row.active, trialGone);
  const renewals = { nth: 1, count: charges - 1, rates };
  return { kept: keptOf(row, tables), charge: chargeOf(row, tables), first, next: 1, renewals };
}

const keptOf = ({ product }: LedgerRow, tables: LtvTables): number => 1 - tables.refund(product);
const chargeOf = (row: LedgerRow, tables: LtvTables): number =>
  row.nextChargeUsd ?? tables.chargeUsd(row.product, row.country);

const ratesOf = ({ product, plan }: LedgerRow, tables: LtvTables, active?: Int32Array): readonly number[] => {
  const rates: number[] = [];
  for (let step = 0; step < renewalSteps.length; step++) rates.push(tables.renewal(product, plan, 1 + step, active));
  return rates;
};

/** How many of them come: r + r² + … of one rate; 0 without any. */
function renewed({ nth, count, rates }: Renewals): number {
  let sum = 0;
  let power = 1;
  for (let each = nth; each < nth + count; each++) {
    power *= rates[stepOf(each)]!;
    sum += power;
  }
  return sum;
}

/** The derivatives of `renewed` by the rates. */
function renewedSlopes({ nth, count, rates }: Renewals): readonly number[] {
  const slopes = rates.map(() => 0);
  const times = rates.map(() => 0);
  let power = 1;
  for (let each = nth; each < nth + count; each++) {
    const last = stepOf(each);
    power *= rates[last]!;
    times[last]!++;
    for (let step = 0; step <= last; step++) slopes[step]! += (times[step]! * power) / rates[step]!;
  }
  return slopes;
}
