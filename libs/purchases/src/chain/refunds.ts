import type { Money, RefundFact, TransactionFact } from '@paywright/contracts';
import type { Chain } from './chain.ts';
import { microsOf } from '../money/decimal.ts';

/** The refunds of a transaction that stand: those that the store did not take back afterwards, and that did not fail. */
export const standingRefunds = (
  { refunds, reversedAt, failedRefunds = {} }: Chain,
  transactionId: string,
): readonly RefundFact[] =>
  Object.values(refunds).filter(
    ({ refundId, transactionId: refunded, refundedAt }) =>
      refunded === transactionId && refundedAt > (reversedAt[transactionId] ?? -1) && !(refundId in failedRefunds),
  );

/**
 * How much of a charge is given back, in millionths of its currency: never more than the charge. A refund in
 * another currency than the charge says nothing about it and counts as none.
 */
export function refundedMicros(refunds: readonly RefundFact[], charge: bigint, currency: string): bigint {
  if (refunds.some(({ amount }) => amount === null)) return charge;
  let [sum, mostSoFar] = [0n, 0n];
  for (const { amount, isCumulative } of refunds) {
    if (amount === null || amount.currency !== currency) continue;
    const given = microsOf(amount.amount);
    if (!isCumulative) sum += given;
    else if (given > mostSoFar) mostSoFar = given;
  }
  const given = sum > mostSoFar ? sum : mostSoFar;
  return given < charge ? given : charge;
}

/** Whether all that was paid is given back. Where nobody told what that was, a full refund alone says so. */
export function isPaidBack(refunds: readonly RefundFact[], price: Money | null): boolean {
  if (refunds.length === 0) return false;
  if (!price) return refunds.some(({ amount }) => amount === null);
  const charge = microsOf(price.amount);
  return refundedMicros(refunds, charge, price.currency) === charge;
}

/** Whether the refund, of the App Store, takes the purchase with it: one of a single item leaves it. */
export const isOfPurchase = ({ isOfItem }: RefundFact): boolean => isOfItem !== true;

/**
 * Whether the store took the purchase back: by a full refund, or, at the App Store, by any refund but of single items. With
 * refunds of all items it takes it back beside them.
 */
export function isRefunded(chain: Chain, transactionId: string): boolean {
  const refunds = standingRefunds(chain, transactionId);
  if (chain.store === 'app_store')
    return refunds.some(isOfPurchase) || (refunds.length > 0 && isRevoked(chain, transactionId));
  return isPaidBack(refunds, chain.transactions[transactionId]?.price ?? null);
}

/**
 * Whether the store took back all that paid for the transaction's period. Seats that are added to one are a transaction of
 * their own at the App Store.
 */
export const isPeriodRefunded = (chain: Chain, transactionId: string): boolean =>
  isRefunded(chain, transactionId) && paidBeside(chain, transactionId).every((id) => isRefunded(chain, id));

function paidBeside({ store, transactions }: Chain, transactionId: string): readonly string[] {
  const one = transactions[transactionId];
  if (store !== 'app_store' || one === undefined) return [];
  const overlaps = ({ productId, startsAt, expiresAt }: TransactionFact) =>
    productId === one.productId && startsAt < (one.expiresAt ?? Infinity) && one.startsAt < (expiresAt ?? Infinity);
  const paid = Object.values(transactions).filter(overlaps);
  return paid.some(({ phase }) => phase === 'prorated') ? paid.map((each) => each.transactionId) : [];
}

/** Whether the store took the purchase back without money, and has not taken that back since. */
export const isRevoked = ({ revokedAt, reversedAt }: Chain, transactionId: string): boolean =>
  (revokedAt[transactionId] ?? -1) > (reversedAt[transactionId] ?? -1);

/** Refunds at Play that take the purchase too: it was never paid for, or a bank claimed the money back. */
const reasonsToWithdraw: readonly (string | null)[] = ['canceled', 'chargeback'];

/**
 * Whether nothing is left of what was bought once. Google says by itself whether it took the purchase back: a refund is the
 * seller's, who may have left it.
 */
export function isWithdrawn(chain: Chain, transactionId: string): boolean {
  if (isRevoked(chain, transactionId)) return true;
  if (chain.store !== 'play_store') return isRefunded(chain, transactionId);
  return withdraws(standingRefunds(chain, transactionId));
}

/** When all of one product that the transaction sold once was given back by itself; Infinity if it was not. */
export function returnedAt(chain: Chain, { transactionId, productId }: SoldProduct): number {
  const refunds = standingRefunds(chain, transactionId).filter(({ products = [] }) => products.includes(productId));
  return Math.min(...refunds.map(({ refundedAt }) => refundedAt));
}

type SoldProduct = Pick<TransactionFact, 'transactionId' | 'productId'>;

/** Whether one of a Play order's refunds takes the purchase with it. */
export const withdraws = (refunds: readonly RefundFact[]): boolean =>
  refunds.some(({ reason }) => reasonsToWithdraw.includes(reason));

/** When the store took the purchase back, with its money or without; Infinity if it did not. */
export function takenBackAt(chain: Chain, transactionId: string): number {
  const times = isRefunded(chain, transactionId)
    ? standingRefunds(chain, transactionId).map(({ refundedAt }) => refundedAt)
    : [];
  const refundedAt = times.length > 0 ? Math.max(...times) : Infinity;
  return isRevoked(chain, transactionId) ? Math.min(refundedAt, chain.revokedAt[transactionId]!) : refundedAt;
}
