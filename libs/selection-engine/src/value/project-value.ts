import type { LedgerRow } from './ledger-row.ts';
import type { LtvTables } from './ltv-tables.ts';

/**
 * USD that a start is thought to bring within the horizon, without extras: what it brought, and what the tables
 * expect of it still.
 * @param horizonDays from the start on
 */
export function projectValue(row: LedgerRow, tables: LtvTables, horizonDays: number): number {
  const realised = row.realisedUsd > 0 ? row.realisedUsd : 0;
  if (row.stage === 'ended') return realised;
  const kept = 1 - tables.refund();
  const charge = row.nextChargeUsd ?? tables.chargeUsd(row.product, row.country);
  const charges = chargesWithin(row, horizonDays);
  const renewal = tables.renewal(row.product, row.plan);
  // Nothing was charged yet: the first charge is as likely as the trial makes it, or is on its way.
  const first = row.stage === 'trial' ? tables.trialToPaid(row.product) : 1;
  if (row.payments === 0)
    return realised + first * kept * charge * (charges > 0 ? 1 + powerSum(renewal, charges - 1) : 0);
  return realised + kept * charge * powerSum(renewal, charges - row.payments);
}

/** How many charges the horizon has room for. */
export function chargesWithin(row: Pick<LedgerRow, 'plan' | 'trialDays' | 'periodDays'>, horizonDays: number): number {
  const left = horizonDays - row.trialDays;
  if (left < 0) return 0;
  return row.plan === 'one-time' ? 1 : Math.floor(left / Math.max(1, row.periodDays)) + 1;
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
