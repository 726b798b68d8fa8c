import type { LedgerRow } from './ledger-row.ts';
import type { LtvTables } from './ltv-tables.ts';

/** What is still to come of a start: a first charge, if it waits for one, and renewals. */
interface Outlook {
  /** The share of a charge that is not refunded. */
  readonly kept: number;
  readonly charge: number;
  /** The chance of a first charge that has not come yet; null if there is none to come. */
  readonly first: number | null;
  readonly renewal: number;
  /** How many times as likely the next renewal is, as nobody has told an end by that time of the period. */
  readonly next: number;
  /** Renewals that the horizon has room for still. */
  readonly renewals: number;
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

/** USD that is still to be charged, before refunds. */
const chargesOf = ({ charge, first, next, renewal, renewals }: Outlook): number =>
  first === null ? next * charge * powerSum(renewal, renewals) : first * charge * (1 + powerSum(renewal, renewals));

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
 * USD by which `projectValue` grows with its rates: its derivatives by the rates of renewal and of trials that convert; and
 * by which it falls with the rate of refunds.
 */
export function slopesOf(row: LedgerRow, tables: LtvTables, horizonDays: number) {
  const outlook = outlookOf(row, tables, horizonDays);
  const givenBack = givenBackYet(row, tables) / tables.refund(row.product);
  if (outlook === null) return { renewal: 0, trial: 0, refund: givenBack };
  const { kept, charge, first, next, renewal, renewals } = outlook;
  const { product, stage, trialGone } = row;
  const sharper =
    stage === 'trial' ? tables.trialToPaid(product, undefined, trialGone) / tables.trialToPaid(product) : 0;
  return {
    renewal: (first ?? next) * kept * charge * powerSlope(renewal, renewals),
    trial: sharper * kept * charge * (1 + powerSum(renewal, renewals)),
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
  const renewal = tables.renewal(row.product, row.plan);
  const sum = 1 + powerSum(renewal, charges - 1);
  return {
    usd: trial * sum * (row.nextChargeUsd ?? tables.chargeUsd(row.product, row.country)),
    byTrial: 1 - trial,
    byRenewal: (renewal * (1 - renewal) * powerSlope(renewal, charges - 1)) / sum,
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
  const kept = 1 - tables.refund(row.product);
  const charge = row.nextChargeUsd ?? tables.chargeUsd(row.product, row.country);
  const renewal = tables.renewal(row.product, row.plan, row.active);
  if (row.payments > 0) {
    const next = tables.renewal(row.product, row.plan, row.active, row.periodGone) / renewal;
    const { changes = 0, renewalsLeft = Infinity } = row;
    const renewals = changes > 0 ? renewalsLeft : Math.min(charges - row.payments, renewalsLeft);
    return { kept, charge, first: null, next, renewal, renewals };
  }
  // Nothing was charged yet: the first charge is as likely as the trial makes it, or is on its way.
  const first = row.stage === 'trial' ? tables.trialToPaid(row.product, row.active, row.trialGone) : 1;
  return { kept, charge, first, next: 1, renewal, renewals: charges - 1 };
}

/** r + r² + … + r^terms; 0 without terms. */
function powerSum(r: number, terms: number): number {
  let sum = 0;
  let power = 1;
  for (let term = 1; term <= terms; term++) {
    power *= r;
    sum += power;
  }
  return sum;
}

/** 1 + 2r + … + terms·r^(terms-1): the derivative of `powerSum`. */
function powerSlope(r: number, terms: number): number {
  let sum = 0;
  let power = 1;
  for (let term = 1; term <= terms; term++) {
    sum += term * power;
    power *= r;
  }
  return sum;
}
