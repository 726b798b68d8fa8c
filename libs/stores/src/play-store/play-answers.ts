import { z } from 'zod';
import { mark, openEnum } from '../store-answer.ts';
import { PlayMoney } from './play-money.ts';

/** RFC 3339 text, read as milliseconds since the epoch. */
const PlayInstant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const storeId = z.string().min(1).max(255);
const purchaseToken = z.string().min(1).max(4096);
/** The app's own word for the buyer: one that is none of ours is no reason to refuse the rest. */
const accountId = z.string().max(255).nullish().catch(null);

const OfferPhase = z.object({
  freeTrial: mark,
  introductoryPrice: mark,
  basePrice: mark,
  prorationPeriod: z.object({ originalOfferPhaseType: openEnum(['BASE', 'INTRODUCTORY', 'FREE_TRIAL']) }).nullish(),
});

/** What cannot be read of it is no reason to refuse the rest. */
const PriceChange = z
  .object({
    priceChangeState: openEnum(['OUTSTANDING', 'CONFIRMED', 'APPLIED', 'CANCELED']),
    newPrice: PlayMoney,
    /** Absent once it is charged. */
    expectedNewPriceChargeTime: PlayInstant,
  })
  .nullish()
  .catch(null);

const PlayLineItem = z.object({
  productId: storeId,
  expiryTime: PlayInstant.nullish(),
  latestSuccessfulOrderId: storeId.nullish(),
  offerDetails: z.object({ basePlanId: storeId.nullish(), offerId: storeId.nullish() }).nullish(),
  offerPhase: OfferPhase.nullish(),
  autoRenewingPlan: z
    .object({
      autoRenewEnabled: z.boolean().nullish(),
      recurringPrice: PlayMoney.nullish().catch(null),
      priceChangeDetails: PriceChange,
    })
    .nullish(),
  prepaidPlan: mark,
  deferredItemReplacement: z.object({ productId: storeId.nullish() }).nullish(),
  deferredItemRemoval: mark,
});
export type PlayLineItem = z.output<typeof PlayLineItem>;

const acknowledgementState = openEnum(['ACKNOWLEDGEMENT_STATE_PENDING', 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED']);

/** `purchases.subscriptionsv2`, as far as it is used. Names of persons, which it can hold, are not read. */
export const PlaySubscription = z.object({
  subscriptionState: openEnum([
    'SUBSCRIPTION_STATE_PENDING',
    'SUBSCRIPTION_STATE_ACTIVE',
    'SUBSCRIPTION_STATE_PAUSED',
    'SUBSCRIPTION_STATE_IN_GRACE_PERIOD',
    'SUBSCRIPTION_STATE_ON_HOLD',
    'SUBSCRIPTION_STATE_CANCELED',
    'SUBSCRIPTION_STATE_EXPIRED',
    'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED',
  ]),
  acknowledgementState,
  startTime: PlayInstant.nullish(),
  lineItems: z.array(PlayLineItem).min(1),
  linkedPurchaseToken: purchaseToken.nullish(),
  canceledStateContext: z
    .object({
      userInitiatedCancellation: z.object({ cancelTime: PlayInstant.nullish() }).nullish(),
      systemInitiatedCancellation: mark,
      developerInitiatedCancellation: mark,
      replacementCancellation: mark,
    })
    .nullish(),
  testPurchase: mark,
  externalAccountIdentifiers: z.object({ obfuscatedExternalAccountId: accountId }).nullish(),
  outOfAppPurchaseContext: z
    .object({
      expiredPurchaseToken: purchaseToken.nullish(),
      expiredExternalAccountIdentifiers: z.object({ obfuscatedExternalAccountId: accountId }).nullish(),
    })
    .nullish(),
});
export type PlaySubscription = z.output<typeof PlaySubscription>;

/** `purchases.productsv2`, as far as it is used. */
export const PlayProduct = z.object({
  orderId: storeId.nullish(),
  productLineItem: z
    .array(
      z.object({
        productId: storeId,
        productOfferDetails: z.object({ purchaseOptionId: storeId.nullish(), offerId: storeId.nullish() }).nullish(),
      }),
    )
    .min(1),
  purchaseStateContext: z.object({ purchaseState: openEnum(['PURCHASED', 'CANCELLED', 'PENDING']) }).nullish(),
  acknowledgementState,
  purchaseCompletionTime: PlayInstant.nullish(),
  testPurchaseContext: mark,
  obfuscatedExternalAccountId: accountId,
});
export type PlayProduct = z.output<typeof PlayProduct>;

const RefundDetails = z.object({ total: PlayMoney.nullish() }).nullish();

/** `orders`, as far as it is used. */
export const PlayOrder = z.object({
  orderId: storeId,
  state: openEnum(['PENDING', 'PROCESSED', 'CANCELED', 'PENDING_REFUND', 'PARTIALLY_REFUNDED', 'REFUNDED']),
  createTime: PlayInstant.nullish(),
  total: PlayMoney.nullish(),
  tax: PlayMoney.nullish(),
  developerRevenueInBuyerCurrency: PlayMoney.nullish(),
  lineItems: z
    .array(
      z.object({
        productId: storeId.nullish(),
        subscriptionDetails: z
          .object({
            servicePeriodStartTime: PlayInstant.nullish(),
            servicePeriodEndTime: PlayInstant.nullish(),
            basePlanId: storeId.nullish(),
            offerId: storeId.nullish(),
            offerPhase: openEnum(['BASE', 'INTRODUCTORY', 'FREE_TRIAL']),
            offerPhaseDetails: z
              .object({
                freeTrialDetails: mark,
                introductoryPriceDetails: mark,
                baseDetails: mark,
                prorationPeriodDetails: z
                  .object({ originalOfferPhase: openEnum(['BASE', 'INTRODUCTORY', 'FREE_TRIAL']) })
                  .nullish(),
              })
              .nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  orderHistory: z
    .object({
      cancellationEvent: z.object({ eventTime: PlayInstant.nullish() }).nullish(),
      partialRefundEvents: z
        .array(
          z.object({
            createTime: PlayInstant,
            processTime: PlayInstant.nullish(),
            state: openEnum(['PENDING', 'PROCESSED_SUCCESSFULLY']),
            refundDetails: RefundDetails,
          }),
        )
        .nullish(),
      refundEvent: z
        .object({ eventTime: PlayInstant.nullish(), refundReason: openEnum(['OTHER', 'CHARGEBACK']) })
        .nullish(),
    })
    .nullish(),
});
export type PlayOrder = z.output<typeof PlayOrder>;

/** One page of `purchases.voidedpurchases`. */
export const PlayVoidedPurchases = z.object({
  voidedPurchases: z
    .array(
      z.object({
        purchaseToken,
        orderId: storeId.nullish(),
        voidedTimeMillis: z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number)
          .nullish(),
        voidedQuantity: z.int().nullish(),
      }),
    )
    .nullish(),
  tokenPagination: z.object({ nextPageToken: z.string().nullish() }).nullish(),
});
