import type { Money, MoneyMoved, RefundFact, TransactionFact } from '@paywright/contracts';
import { type Chain, microsOf, type Movement, refundedMicros, standingRefunds } from '@paywright/purchases';
import { ratedBy } from './rate-on-day.ts';

/** A row to book; `amount` in signed millionths. */
export interface Row {
  readonly movementId: string;
  readonly type: MoneyMoved['body']['type'];
  readonly time: number;
  readonly originalTime: number;
  readonly amount: bigint;
  readonly currency: string;
  readonly refundOf: string | null;
  readonly storeShare: Money | null;
}

/**
 * The rows that a transaction lacks: what it should have earned and given back by the facts, less what is booked. Of
 * each currency and day for itself: what was booked on another day than the purchase's is taken off there.
 * @param booked the transaction's rows
 * @param now when the store said what is booked only now, in milliseconds
 */
export function missingRows(
  chain: Chain,
  fact: TransactionFact,
  booked: readonly Movement[],
  now: number,
): readonly Row[] {
  const price = countedPrice(fact);
  const refunds = standingRefunds(chain, fact.transactionId);
  const places = Map.groupBy([...(price ? [price] : []), ...booked], ratedBy);
  const rows = [...places].flatMap(([place, [first]]) => {
    const { currency, originalTime } = first!;
    const bought = { ...fact, purchasedAt: originalTime };
    const alike = booked.filter((row) => ratedBy(row) === place);
    const charge = price && ratedBy(price) === place ? price.micros : 0n;
    const uncharged = charge - sumOf(alike.filter(isCharge));
    const failed = failedRows(chain, alike, currency);
    const given = sumOf(alike.filter((row) => !isCharge(row))) + sumOfRows(failed);
    const ungiven = refundedMicros(refunds, charge, currency) + given;
    const newRefunds = refunds.filter(({ refundId }) => !booked.some(({ movementId }) => movementId === refundId));
    return [
      ...chargeRows(bought, uncharged, currency, booked),
      ...failed,
      ...(ungiven < 0n
        ? [takenBackRow(bought, -ungiven, currency, chain.reversedAt[fact.transactionId], now)]
        : refundRows(bought, ungiven, currency, newRefunds, now)),
    ];
  });
  return withIdsOfTheirOwn(rows, chain.movements);
}

/** Family access earns nothing, a trial what is paid beside it; null as long as the store did not say what was paid. */
const countedPrice = ({ price, isFamilyShared, purchasedAt: originalTime }: TransactionFact) =>
  price && { micros: isFamilyShared ? 0n : microsOf(price.amount), currency: price.currency, originalTime };

const isCharge = ({ type }: Movement) => type === 'charge';
const sumOf = (rows: readonly Movement[]) => rows.reduce((sum, { amount }) => sum + microsOf(amount), 0n);
const sumOfRows = (rows: readonly Row[]) => rows.reduce((sum, { amount }) => sum + amount, 0n);

/** Each of several payments under its id, as far as the money goes; else, and what mends them, under the transaction's. */
function chargeRows(
  { transactionId, purchasedAt: originalTime, payments = [] }: TransactionFact,
  uncharged: bigint,
  currency: string,
  booked: readonly Movement[],
): readonly Row[] {
  const rows: Row[] = [];
  let rest = uncharged;
  const charge = (movementId: string, time: number, amount: bigint) => {
    if (amount === 0n) return;
    rows.push({ movementId, type: 'charge', time, originalTime, amount, currency, refundOf: null, storeShare: null });
    rest -= amount;
  };
  for (const { paymentId, paidAt, amount } of payments) {
    const own = microsOf(amount);
    const isBooked = booked.some(({ movementId }) => movementId === paymentId);
    if (rest > 0n && !isBooked) charge(paymentId, paidAt, own < rest ? own : rest);
  }
  charge(transactionId, originalTime, rest);
  return rows;
}

/** A row for each refund that was booked and failed: what was booked of it, the other way. */
function failedRows({ failedRefunds = {} }: Chain, booked: readonly Movement[], currency: string): readonly Row[] {
  const isBooked = (id: string) => booked.some(({ movementId }) => movementId === id);
  return booked
    .filter(({ type, movementId }) => type === 'refund' && movementId in failedRefunds)
    .map(({ movementId, transactionId, originalTime, amount }) => ({
      movementId: `${movementId}:failed`,
      type: 'refund_reversed' as const,
      time: failedRefunds[movementId]!,
      originalTime,
      amount: -microsOf(amount),
      currency,
      refundOf: transactionId,
      storeShare: null,
    }))
    .filter(({ movementId }) => !isBooked(movementId));
}

/** What was given back and is not any more: the store took it back, or there was less to give than estimated. */
function takenBackRow(
  { transactionId, purchasedAt: originalTime }: TransactionFact,
  amount: bigint,
  currency: string,
  reversedAt: number | undefined,
  now: number,
): Row {
  const part = { originalTime, amount, currency, refundOf: transactionId, storeShare: null };
  return reversedAt === undefined
    ? { ...part, movementId: `${transactionId}:mended`, type: 'refund', time: now }
    : { ...part, movementId: `${transactionId}:reversed`, type: 'refund_reversed', time: reversedAt };
}

/** A row a refund, under its own id, as far as the money goes; what is left mends an estimate. */
function refundRows(
  { transactionId, purchasedAt: originalTime }: TransactionFact,
  lacking: bigint,
  currency: string,
  refunds: readonly RefundFact[],
  now: number,
): readonly Row[] {
  const rows: Row[] = [];
  const part = { originalTime, currency, refundOf: transactionId };
  let rest = lacking;
  const give = (movementId: string, time: number, amount: bigint, storeShare: Money | null = null) => {
    if (amount === 0n) return;
    rows.push({ ...part, movementId, type: 'refund', time, amount: -amount, storeShare });
    rest -= amount;
  };
  for (const { refundId, refundedAt, amount, isCumulative, storeShare } of [...refunds].sort(byTime)) {
    const own = amount && !isCumulative ? microsOf(amount.amount) : rest;
    give(refundId, refundedAt, own < rest ? own : rest, storeShare);
  }
  give(`${transactionId}:mended`, now, rest);
  return rows;
}

const byTime = (a: RefundFact, b: RefundFact) => a.refundedAt - b.refundedAt || (a.refundId < b.refundId ? -1 : 1);

/** An id that is taken gets a number behind it: a movement id is one row, for ever. */
function withIdsOfTheirOwn(rows: readonly Row[], booked: readonly Movement[]): readonly Row[] {
  const taken = new Set(booked.map(({ movementId }) => movementId));
  return rows.map((row) => {
    let movementId = row.movementId;
    for (let copy = 2; taken.has(movementId); copy++) movementId = `${row.movementId}:${copy}`;
    taken.add(movementId);
    return { ...row, movementId };
  });
}
