import { z } from 'zod';

/** The library takes every field of a signed payload as optional; what we use must be there, in its right shape. */
const text = z.string().min(1).max(255);
/** Milliseconds since the epoch. */
const time = z.int().nonnegative();

/** The environments that we ever verify for. Xcode's and LocalTesting's data is unsigned: it is never believed. */
export const AppStoreEnvironment = z.enum(['Production', 'Sandbox']);
export type AppStoreEnvironment = z.output<typeof AppStoreEnvironment>;

export const inOurWords = { Production: 'production', Sandbox: 'sandbox' } as const;
export const inAppleWords = { production: 'Production', sandbox: 'Sandbox' } as const;

/** The one type of product whose transactions have periods. */
export const autoRenewable = 'Auto-Renewable Subscription';
/** The one type that is bought once for ever. */
export const nonConsumable = 'Non-Consumable';

/** A product of an app with Apple's Advanced Commerce API: of several, one transaction. Amounts in thousandths too. */
const SoldItem = z.object({
  SKU: z.string().min(1).max(128),
  price: z.int().nonnegative().max(1e15).nullish(),
  refunds: z
    .array(
      z.object({
        refundAmount: z.int().nonnegative().max(1e15).nullish(),
        refundDate: time.nullish(),
        refundReason: text.nullish(),
        refundType: text.nullish(),
      }),
    )
    .nullish(),
});
export type SoldItem = z.output<typeof SoldItem>;

/** Seats by what each of them costs, in thousandths: of many, those that come later may cost less. */
const SeatPrices = z.array(
  z.object({ price: z.int().nonnegative().max(1e15), quantity: z.int().nonnegative().max(1e9) }),
);
type SeatPrices = z.output<typeof SeatPrices>;

/** What all the seats cost; null where none are told. Beside them Apple tells as price what one costs on average. */
export const priceOfSeats = (seats: SeatPrices | null | undefined): bigint | null =>
  seats == null || seats.length === 0
    ? null
    : seats.reduce((sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity), 0n);

/** How a year is paid: `MONTHLY` with a commitment of twelve months, else at once. Apple has both under one product. */
const billingPlanType = text.nullish().catch(null);

/** The plan of a product, where it is not the usual one. */
export const billingPlanOf = (type: string | null | undefined): string | null => (type === 'MONTHLY' ? type : null);

/**
 * `price` in thousandths of the currency's unit, of one seat where there are several, and of all pieces of what is bought once;
 * `revocationPercentage` in thousandths of a percent.
 */
export const SignedTransaction = z
  .object({
    transactionId: text,
    originalTransactionId: text,
    webOrderLineItemId: text.nullish(),
    bundleId: text,
    productId: text,
    environment: AppStoreEnvironment,
    type: text,
    purchaseDate: time,
    originalPurchaseDate: time.nullish(),
    transactionReason: text.nullish(),
    /** Why several transactions paid for the period; each of them has it. */
    additionalTransactionReason: text.nullish(),
    signedDate: time,
    expiresDate: time.nullish(),
    inAppOwnershipType: text.nullish(),
    isUpgraded: z.boolean().nullish(),
    billingPlanType,
    offerIdentifier: text.nullish(),
    offerDiscountType: text.nullish(),
    offerType: z.int().nullish(),
    price: z.int().nonnegative().max(1e15).nullish(),
    currency: z.string().nullish(),
    revocationDate: time.nullish(),
    revocationReason: z.int().nullish(),
    revocationType: text.nullish(),
    revocationPercentage: z.int().min(0).max(100_000).nullish(),
    appAccountToken: text.nullish(),
    // What cannot be read of these is no reason to refuse the rest.
    multiSeatInfo: z
      .object({ priceTiers: SeatPrices.nullish(), revokedSeatQuantity: z.int().nullish().catch(null) })
      .nullish()
      .catch(null),
    advancedCommerceInfo: z
      .object({ items: z.array(SoldItem).nullish() })
      .nullish()
      .catch(null),
  })
  .refine(({ type, expiresDate }) => type !== autoRenewable || expiresDate != null, 'a subscription ends');
export type SignedTransaction = z.output<typeof SignedTransaction>;

/**
 * `transactionId` must not be there: with it, the payload is a transaction that is passed off as a renewal. The price,
 * in thousandths of the currency's unit, is no reason to refuse the rest.
 */
export const SignedRenewal = z.object({
  originalTransactionId: text,
  environment: AppStoreEnvironment,
  autoRenewStatus: z.int(),
  signedDate: time,
  transactionId: z.undefined().optional(),
  autoRenewProductId: text.nullish(),
  expirationIntent: z.int().nullish(),
  gracePeriodExpiresDate: time.nullish(),
  isInBillingRetryPeriod: z.boolean().nullish(),
  recentSubscriptionStartDate: time.nullish(),
  renewalPrice: z.int().nonnegative().max(1e15).nullish().catch(null),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullish()
    .catch(null),
  renewalBillingPlanType: billingPlanType,
  renewalQuantity: z.int().nullish().catch(null),
  multiSeatInfo: z.object({ renewalPriceTiers: SeatPrices.nullish() }).nullish().catch(null),
  appAccountToken: text.nullish(),
});
export type SignedRenewal = z.output<typeof SignedRenewal>;

export const SignedNotification = z.object({
  notificationUUID: text,
  notificationType: text,
  subtype: text.nullish(),
  signedDate: time,
  data: z
    .object({
      environment: AppStoreEnvironment,
      status: z.int().nullish(),
      signedTransactionInfo: z.string().nullish(),
      signedRenewalInfo: z.string().nullish(),
    })
    .nullish(),
});
export type SignedNotification = z.output<typeof SignedNotification>;
