import { decimal, isEqual, rounded, sum, textOf, times, zero, type Decimal } from '../model/decimal.ts';
import type { ExpectedMovement } from '../model/expectation.ts';
import type { LedgerRow } from './answers.ts';
import type { Rates } from './rates.ts';

const usdScale = 6;

/** How a movement reads without its id and time: what both sides can say of it. */
const readingOf = (
  { type, store, currency }: { type: string; store: string; currency: string },
  amount: string,
  isSandbox: boolean,
): string => [type, textOf(decimal(amount)), currency, store, ...(isSandbox ? ['sandbox'] : [])].join(' ');

/** Those of `all` that have no partner in `others`, each partner taken once. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return all.filter((reading) => {
    const at = left.indexOf(reading);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function movementsDiffer(expected: readonly ExpectedMovement[], rows: readonly LedgerRow[]): readonly string[] {
  const wanted = expected.map((one) => readingOf(one, one.amount, one.isSandbox));
  const found = rows.map((row) => readingOf(row, row.amount, row.environment === 'sandbox'));
  return [
    ...without(wanted, found).map((reading) => `ledger: missing ${reading}`),
    ...without(found, wanted).map((reading) => `ledger: too much ${reading}`),
  ];
}

/** Each row by itself: valued by its rate, at the rate of its day, and taken back at the rate of what it takes back. */
function rowDiffers(row: LedgerRow, rows: readonly LedgerRow[], rates: Rates): readonly string[] {
  const what = `ledger ${row.type} ${row.amount} ${row.currency} of ${row.time}`;
  if (row.usd === null || row.rate === null) return [`${what}: has no value in USD`];
  const [rate, usd] = [decimal(row.rate), decimal(row.usd)];
  const value = rounded(times(decimal(row.amount), rate), usdScale);
  const charge = rows.find(({ type, transactionId }) => type === 'charge' && transactionId === row.transactionId);
  const bought = charge ?? row;
  const reference = rates.usdPerUnit(bought.currency, Date.parse(bought.time));
  return [
    ...(isEqual(value, usd) ? [] : [`${what}: is worth ${textOf(value)} at its rate ${row.rate}, and not ${row.usd}`]),
    ...(reference && !isEqual(rounded(reference, usdScale), rounded(rate, usdScale))
      ? [`${what}: the rate of its day is ${textOf(reference)}, and not ${row.rate}`]
      : []),
    ...(charge && !isEqual(decimal(charge.rate ?? '0'), rate)
      ? [`${what}: has the rate ${row.rate}, what it takes back ${charge.rate}`]
      : []),
    ...(row.type === 'charge' || charge ? [] : [`${what}: takes back a charge that is not there`]),
  ];
}

function doubledCharges(rows: readonly LedgerRow[]): readonly string[] {
  const ids = rows.filter(({ type }) => type === 'charge').map(({ transactionId }) => transactionId);
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  return doubled.length > 0 ? [`ledger: ${doubled.length} charges are booked twice`] : [];
}

/** What the production rows are worth, exactly. */
export const revenueOf = (rows: readonly LedgerRow[]): Decimal =>
  rows.length === 0
    ? zero
    : sum(rows.filter(({ environment }) => environment === 'production').map(({ usd }) => decimal(usd ?? '0')));

/**
 * What of a profile's money is not as it should be; a sentence each.
 * @param totalRevenueUsd as the profile has it, in cents
 */
export function ledgerDifferences(
  expected: readonly ExpectedMovement[],
  { rows, totalRevenueUsd }: { rows: readonly LedgerRow[]; totalRevenueUsd: number },
  rates: Rates,
): readonly string[] {
  const revenue = textOf(rounded(revenueOf(rows), 2));
  return [
    ...movementsDiffer(expected, rows),
    ...rows.flatMap((row) => rowDiffers(row, rows, rates)),
    ...doubledCharges(rows),
    ...(Number(revenue) === totalRevenueUsd
      ? []
      : [`totalRevenueUsd: the ledger holds ${revenue}, the profile says ${totalRevenueUsd}`]),
  ];
}
