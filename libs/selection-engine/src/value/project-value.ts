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
  const realised = (row.realisedUsd > 0 ? row.realisedUsd : 0) + unvaluedUsd(row, tables, horizonDays);
  const outlook = outlookOf(row, tables, horizonDays);
  if (outlook === null) return realised;
  const { kept, charge, first, next, renewal, renewals } = outlook;
  if (first !== null) return realised + first * kept * charge * (1 + powerSum(renewal, renewals));
  return realised + next * kept * charge * powerSum(renewal, renewals);
}

/** What it paid within the horizon, and did not get back, that nobody can value yet is thought to be what such people are charged. */
function unvaluedUsd(row: LedgerRow, tables: LtvTables, horizonDays: number): number {
  const { unvalued = 0, unvaluedRefunds = 0 } = row;
  const counted = Math.min(unvalued, chargesWithin(row, horizonDays)) - unvaluedRefunds;
  return counted > 0 ? counted * tables.chargeUsd(row.product, row.country) : 0;
}

/** USD by which `projectValue` grows with its rates: its derivatives by the rates of renewal and of trials that convert. */
export function slopesOf(row: LedgerRow, tables: LtvTables, horizonDays: number): { renewal: number; trial: number } {
  const outlook = outlookOf(row, tables, horizonDays);
  if (outlook === null) return { renewal: 0, trial: 0 };
  const { kept, charge, first, next, renewal, renewals } = outlook;
  const { product, stage, trialGone } = row;
  const sharper =
    stage === 'trial' ? tables.trialToPaid(product, undefined, trialGone) / tables.trialToPaid(product) : 0;
  return {
    renewal: (first ?? next) * kept * charge * powerSlope(renewal, renewals),
    trial: sharper * kept * charge * (1 + powerSum(renewal, renewals)),
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
  const kept = 1 - tables.refund();
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
