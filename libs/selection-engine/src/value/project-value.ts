import type { LedgerRow } from './ledger-row.ts';
import type { LtvTables } from './ltv-tables.ts';
import { held, renewalSteps, stepOf } from './tally.ts';

/** What holds of a start from its first day on. */
interface Terms {
  /** How many the horizon has room for. */
  readonly charges: number;
  /** USD of one. */
  readonly charge: number;
  /** The share of a charge that is not refunded. */
  readonly kept: number;
  /** Of renewal, by step, of who it is. */
  readonly rates: readonly number[];
}

/** What is still to come of a start: a first charge, if it waits for one, and renewals. */
interface Outlook {
  readonly kept: number;
  readonly charge: number;
  /** The chance of a first charge that has not come yet; null if there is none to come. */
  readonly first: number | null;
  readonly renewals: Renewals;
  /** How many of these come. */
  readonly renewed: number;
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

/** What a start is thought to bring within the horizon, without extras. */
export interface Projection {
  /** USD: what it brought, and what the tables expect of it still. */
  readonly usd: number;
  /** The same of its first day, when nothing was known but its product, its country and who it is. */
  readonly outsetUsd: number;
  readonly slopes: Slopes;
}

/**
 * USD by which a projection grows with its rates: its derivatives by the rates of renewal, by step, and of trials that
 * convert; and by which it falls with the rate of refunds.
 */
export interface Slopes {
  readonly renewals: readonly number[];
  readonly trial: number;
  readonly refund: number;
}

/** @param horizonDays from the start on */
export function projectionOf(row: LedgerRow, tables: LtvTables, horizonDays: number): Projection {
  const refund = tables.refund(row.product);
  const terms: Terms = {
    charges: chargesWithin(row, horizonDays),
    charge: row.nextChargeUsd ?? tables.chargeUsd(row.product, row.country),
    kept: 1 - refund,
    rates: ratesOf(row, tables, row.active),
  };
  const outlook = outlookOf(row, tables, terms);
  const givenBack = givenBackYet(row, tables);
  const kept = row.realisedUsd - givenBack;
  const realised = (kept > 0 ? kept : 0) + unvaluedUsd(row, tables, terms.charges);
  return {
    usd: realised + expectedOf(outlook),
    outsetUsd: terms.charges > 0 ? expectedOf(outlookOfNew(row, tables, terms, row.trialDays > 0 ? 0 : null)) : 0,
    slopes: slopesOf(row, tables, outlook, givenBack / refund),
  };
}

/** USD that is still to come and to be kept. */
const expectedOf = (outlook: Outlook | null): number => (outlook === null ? 0 : outlook.kept * chargesOf(outlook));

/** USD that is still to be charged, before refunds. */
const chargesOf = ({ charge, first, next, renewed }: Outlook): number =>
  first === null ? next * charge * renewed : first * charge * (1 + renewed);

/** USD that was charged, of which refunds are still to come. */
function givenBackYet({ product, refundable = [] }: LedgerRow, tables: LtvTables): number {
  let sum = 0;
  for (const { usd, days } of refundable) sum += usd * tables.refund(product, days);
  return sum;
}

/** What it paid within the horizon, and did not get back, that nobody can value yet is thought to be what such people are charged. */
function unvaluedUsd(row: LedgerRow, tables: LtvTables, charges: number): number {
  const { unvalued = 0, unvaluedRefunds = 0 } = row;
  const counted = Math.min(unvalued, charges) - unvaluedRefunds;
  return counted > 0 ? counted * tables.chargeUsd(row.product, row.country) : 0;
}

/** @param givenBack USD that was charged and is still to be given back, by the rate of refunds */
function slopesOf(row: LedgerRow, tables: LtvTables, outlook: Outlook | null, givenBack: number): Slopes {
  if (outlook === null) return { renewals: renewalSteps.map(() => 0), trial: 0, refund: givenBack };
  const { kept, charge, first, next, renewals, renewed } = outlook;
  const { product, stage, trialGone } = row;
  const sharper =
    stage === 'trial' ? tables.trialToPaid(product, undefined, trialGone) / tables.trialToPaid(product) : 0;
  return {
    renewals: renewedSlopes(renewals).map((slope) => (first ?? next) * kept * charge * slope),
    trial: sharper * kept * charge * (1 + renewed),
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

/** Of starts that are sold alike, before it is asked what one charge of theirs is. */
interface OutsetOfTerms extends Pick<Outset, 'byTrial' | 'byRenewal'> {
  readonly plan: string;
  readonly trialDays: number;
  readonly periodDays: number;
  readonly charges: number;
}

/** Outsets of starts. What hangs on how they were sold alone is worked out once: products are few. */
export class Outsets {
  readonly #tables: LtvTables;
  readonly #horizonDays: number;
  /** By product. */
  readonly #known = new Map<string, OutsetOfTerms[]>();

  constructor(tables: LtvTables, horizonDays: number) {
    this.#tables = tables;
    this.#horizonDays = horizonDays;
  }

  of(row: LedgerRow): Outset {
    const { charges, byTrial, byRenewal } = this.#ofTerms(row);
    const charge = row.nextChargeUsd ?? this.#tables.chargeUsd(row.product, row.country);
    return { usd: charges * charge, byTrial, byRenewal };
  }

  #ofTerms(row: LedgerRow): OutsetOfTerms {
    const { plan, trialDays, periodDays } = row;
    const known = held(this.#known, row.product, (): OutsetOfTerms[] => []);
    for (const one of known)
      if (one.plan === plan && one.trialDays === trialDays && one.periodDays === periodDays) return one;
    const fresh = { plan, trialDays, periodDays, ...outsetOfTerms(row, this.#tables, this.#horizonDays) };
    known.push(fresh);
    return fresh;
  }
}

function outsetOfTerms(row: LedgerRow, tables: LtvTables, horizonDays: number) {
  const most = chargesWithin(row, horizonDays);
  if (most === 0) return { charges: 0, byTrial: 0, byRenewal: 0 };
  const trial = row.trialDays > 0 ? tables.trialToPaid(row.product) : 1;
  const renewals = { nth: 1, count: most - 1, rates: ratesOf(row, tables) };
  const sum = 1 + renewedOf(renewals);
  const slopes = renewedSlopes(renewals);
  const byLogOdds = renewals.rates.reduce((total, rate, step) => total + rate * (1 - rate) * slopes[step]!, 0);
  return { charges: trial * sum, byTrial: 1 - trial, byRenewal: byLogOdds / sum };
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
function outlookOf(row: LedgerRow, tables: LtvTables, terms: Terms): Outlook | null {
  const { charges, charge, kept, rates } = terms;
  if (row.stage === 'ended' || charges === 0) return null;
  const { payments: nth } = row;
  if (nth === 0) return outlookOfNew(row, tables, terms, row.stage === 'trial' ? (row.trialGone ?? 0) : null);
  const next = tables.renewal(row.product, row.plan, nth, row.active, row.periodGone) / rates[stepOf(nth)]!;
  const { changes = 0, renewalsLeft = Infinity } = row;
  const count = changes > 0 ? renewalsLeft : Math.min(charges - nth, renewalsLeft);
  const renewals = { nth, count, rates };
  return { kept, charge, first: null, renewals, renewed: renewedOf(renewals), next };
}

/**
 * Of whom nothing was charged yet: the first charge is as likely as the trial makes it, or is on its way.
 * @param trialGone of a trial that is still open, null of none
 */
function outlookOfNew(
  { product, active }: LedgerRow,
  tables: LtvTables,
  { charges, charge, kept, rates }: Terms,
  trialGone: number | null,
): Outlook {
  const first = trialGone === null ? 1 : tables.trialToPaid(product, active, trialGone);
  const renewals = { nth: 1, count: charges - 1, rates };
  return { kept, charge, first, renewals, renewed: renewedOf(renewals), next: 1 };
}

const ratesOf = ({ product, plan }: LedgerRow, tables: LtvTables, active?: Int32Array): readonly number[] =>
  renewalSteps.map((_, step) => tables.renewal(product, plan, 1 + step, active));

/** How many of them come: r + r² + … of one rate; 0 without any. */
function renewedOf({ nth, count, rates }: Renewals): number {
  let sum = 0;
  let power = 1;
  for (let each = nth; each < nth + count; each++) {
    power *= rates[stepOf(each)]!;
    sum += power;
  }
  return sum;
}

/** The derivatives of `renewedOf` by the rates. */
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
