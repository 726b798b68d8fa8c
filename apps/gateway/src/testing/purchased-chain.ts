import type { ValidatePurchase } from '@paywright/contracts';
import { emptyChain, type Chain } from '@paywright/purchases';

const day = 86_400_000;

/** A monthly subscription of 9.99 USD that the profile bought at `boughtAt` (milliseconds), and pays for. */
export function subscribedChain(
  chainId: string,
  profileId: string,
  { store, productId }: Pick<ValidatePurchase['body']['purchase'], 'store' | 'productId'>,
  boughtAt: number,
): Chain {
  const expiresAt = boughtAt + 30 * day;
  const bought = { productId, basePlanId: store === 'play_store' ? 'monthly' : null, offerId: null };
  return {
    ...emptyChain,
    chainId,
    store,
    environment: 'production',
    originalTransactionId: '1000',
    owner: profileId,
    payer: profileId,
    subscription: {
      ...bought,
      status: 'active',
      transactionId: '2000',
      startsAt: boughtAt,
      expiresAt,
      graceExpiresAt: null,
      isOpenEnded: false,
      willRenew: true,
      renewsAs: null,
      unsubscribedAt: null,
      billingIssueAt: null,
      cancellationReason: null,
    },
    observedAt: boughtAt,
    transactions: {
      2000: {
        ...bought,
        transactionId: '2000',
        kind: 'subscription',
        phase: 'regular',
        purchasedAt: boughtAt,
        startsAt: boughtAt,
        expiresAt,
        price: { amount: '9.99', currency: 'USD' },
        isEstimate: false,
        isFamilyShared: false,
        isUpgraded: false,
      },
    },
    movements: [
      {
        movementId: '2000',
        type: 'charge',
        transactionId: '2000',
        time: boughtAt,
        originalTime: boughtAt,
        amount: '9.99',
        currency: 'USD',
        usd: '9.99',
        rate: '1',
      },
    ],
  };
}
