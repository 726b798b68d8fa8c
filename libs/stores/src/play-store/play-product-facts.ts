import { createHash } from 'node:crypto';
import type { PaidAddOn, TransactionFact } from '@paywright/contracts';
import { boughtTogether } from '../bought-together.ts';
import type { PlayOrder, PlayProduct } from './play-answers.ts';
import { isCharged, paidFor, storeShareOf } from './play-order-facts.ts';

/**
 * The key of a one-time purchase: its order, or, where a promotion code gave it without one, a digest of its token,
 * for the token itself is a secret.
 */
export const oneTimeTransactionId = ({ orderId }: PlayProduct, token: string): string =>
  orderId ?? `token:${createHash('sha256').update(token).digest('base64url')}`;

/**
 * A one-time purchase: the first of its products, with the others. Its price is in its order alone, once that is decided.
 * @returns null if it was never paid for
 */
export function playProductFact(
  product: PlayProduct,
  { token, order, observedAt }: { token: string; order: PlayOrder | null; observedAt: number },
): TransactionFact | null {
  const charged = order && isCharged(order) ? order : null;
  const { purchaseStateContext: context, purchaseCompletionTime: completedAt } = product;
  // One that was given up while it waited was never completed, also where its order is not shown.
  const isGivenUp = context?.purchaseState === 'CANCELLED' && completedAt == null && charged === null;
  if (context?.purchaseState === 'PENDING' || order?.state === 'CANCELED' || isGivenUp) return null;
  const purchasedAt = completedAt ?? order?.createTime ?? observedAt;
  const [first, ...others] = product.productLineItem.map(({ productId, productOfferDetails: offer }): PaidAddOn => {
    const bought = { productId, basePlanId: offer?.purchaseOptionId ?? null, offerId: offer?.offerId ?? null };
    return { ...bought, phase: 'regular', startsAt: purchasedAt, expiresAt: null };
  });
  return {
    transactionId: oneTimeTransactionId(product, token),
    kind: 'one_time',
    ...boughtTogether([first!, ...others]),
    purchasedAt,
    price: charged && paidFor(charged),
    isEstimate: false,
    isFamilyShared: false,
    isUpgraded: false,
    ...(charged && storeShareOf(charged)),
  };
}
