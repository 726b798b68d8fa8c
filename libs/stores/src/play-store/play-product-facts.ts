import { createHash } from 'node:crypto';
import type { TransactionFact } from '@paywright/contracts';
import type { PlayOrder, PlayProduct } from './play-answers.ts';
import { isCharged, paidFor, storeShareOf } from './play-order-facts.ts';

/**
 * The key of a one-time purchase: its order, or, where a promotion code gave it without one, a digest of its token,
 * for the token itself is a secret.
 */
export const oneTimeTransactionId = ({ orderId }: PlayProduct, token: string): string =>
  orderId ?? `token:${createHash('sha256').update(token).digest('base64url')}`;

/**
 * A one-time purchase. Its price is in its order alone.
 * @param productId one of the purchase's products
 * @returns null if it was never paid for
 */
export function playProductFact(
  product: PlayProduct,
  {
    token,
    productId,
    order,
    observedAt,
  }: { token: string; productId: string; order: PlayOrder | null; observedAt: number },
): TransactionFact | null {
  if (product.purchaseStateContext?.purchaseState === 'PENDING' || (order && !isCharged(order))) return null;
  const purchasedAt = product.purchaseCompletionTime ?? order?.createTime ?? observedAt;
  const offer = product.productLineItem.find((line) => line.productId === productId)?.productOfferDetails;
  return {
    transactionId: oneTimeTransactionId(product, token),
    kind: 'one_time',
    productId,
    basePlanId: offer?.purchaseOptionId ?? null,
    offerId: offer?.offerId ?? null,
    phase: 'regular',
    purchasedAt,
    startsAt: purchasedAt,
    expiresAt: null,
    price: order && paidFor(order),
    isEstimate: false,
    isFamilyShared: false,
    isUpgraded: false,
    ...(order && storeShareOf(order)),
  };
}
