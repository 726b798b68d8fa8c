import {
  cancellationReasons,
  movementTypes,
  offerTypes,
  PurchaseEnvironment,
  PurchaseSource,
  purchaseStores,
} from '@paywright/contracts';
import {
  answered,
  boolean,
  integer,
  integerOf32Bits,
  listOf,
  numberBelow1e18,
  oneOf,
  orNull,
  safeInteger,
  sent,
  text,
  time,
  uuid,
  type Schema,
} from '../json-schema.ts';
import { identification, paywallId } from './profile-schemas.ts';

const short = { minLength: 1, maxLength: 255 };
const long = { maxLength: 4096 };
const optional = (description: string, more: Schema = { maxLength: 255 }) => orNull(text(description, more));
const optionalTime = (description: string) => orNull(time(description));
const decimal = (description: string, example: string) =>
  text(description, { pattern: '^-?\\d+(\\.\\d+)?$', examples: [example] });
const store = oneOf(purchaseStores, 'Where it was bought');
const offerType = (description: string) => orNull(oneOf(offerTypes, description));
const transactionId = (description: string) => text(description, { ...short, examples: ['2000000'] });

/** What a client says of a purchase in any store. */
const reported = {
  productId: text('Id of the product in the store', { ...short, examples: ['premium.monthly'] }),
  ...identification,
  paywallId: orNull(integerOf32Bits('As the paywall was answered')),
  placementId: orNull(text('Placement that the paywall was fetched for', short)),
  isExperiment: orNull(boolean('As the paywall was answered')),
  aiPricingModelId: orNull(integerOf32Bits('As the paywall was answered')),
  environment: orNull(oneOf(PurchaseEnvironment.options, 'Asked first in the App Store; what the store says counts')),
  isSubscription: orNull(boolean('Whether it is a subscription')),
  price: orNull(numberBelow1e18('Recorded, never counted')),
  currency: optional('Recorded, never counted'),
};

const pricingPhase = sent('A phase of the offer; one of price 0 is a trial', [], {
  priceAmountMicros: orNull(numberBelow1e18('Millionths of the currency')),
  currencyCode: optional('ISO 4217 code'),
  billingPeriod: optional('ISO 8601 duration'),
  recurrenceMode: orNull(numberBelow1e18('As Play gives it')),
  billingCycleCount: orNull(numberBelow1e18('As Play gives it')),
});

const subscriptionOffer = sent('Of a subscription', [], {
  basePlanId: optional('Base plan'),
  offerId: optional('Offer, if the product has one'),
  offerToken: optional('Token of the offer', long),
  pricingPhases: orNull(listOf(pricingPhase, 'Its phases', { maxItems: 500 })),
});

const oneTimeOffer = sent('Of a one-time purchase', [], {
  priceAmountMicros: orNull(numberBelow1e18('Millionths of the currency')),
  currencyCode: optional('ISO 4217 code'),
});

export const purchaseSchemas: Readonly<Record<string, Schema>> = {
  AppStorePurchase: sent(
    'A purchase in the App Store, and whose it is: at least one of profileId and customerUserId.',
    ['productId', 'transactionId', 'originalTransactionId'],
    {
      ...reported,
      transactionId: transactionId('The transaction'),
      originalTransactionId: transactionId('The first transaction of its chain'),
      source: orNull(oneOf(PurchaseSource.options, 'observing claims what nobody owns, and never transfers')),
    },
  ),
  PlayPurchase: sent(
    'A purchase on Google Play, and whose it is: at least one of profileId and customerUserId. purchaseToken or token ' +
      'is required; of the two offers at most one may be sent.',
    ['productId'],
    {
      ...reported,
      abTestId: orNull(safeInteger('Test of your own')),
      purchaseToken: optional('The purchase token', long),
      token: optional('The same as purchaseToken', long),
      subscriptionOfferDetails: orNull(subscriptionOffer),
      oneTimePurchaseOfferDetails: orNull(oneTimeOffer),
    },
  ),
  Access: answered('A subscription, or access for life. Of several the one that gives access longest', {
    createdDate: time('When it was first bought'),
    id: integer('Number of the chain of purchases'),
    isActive: boolean('Whether it gives access now'),
    sourceProductId: text('Product of the store'),
    sourceBasePlanId: orNull(
      text('Base plan on Play, price at Stripe; in the App Store MONTHLY where a year is paid by the month'),
    ),
    store,
    activatedAt: time('When it was first active'),
    isLifetime: boolean('Whether it is a one-time purchase, whose access does not end'),
    isRefund: boolean('Whether the current purchase was refunded'),
    willRenew: boolean('Whether it renews'),
    isInGracePeriod: boolean('Whether payment is overdue, and access goes on'),
    cancellationReason: orNull(oneOf(cancellationReasons, 'Why it does not renew; null as long as it does')),
    offerId: orNull(text('Offer that it was bought under')),
    startsAt: time('When the current period began'),
    renewedAt: optionalTime('When it was last renewed'),
    expiresAt: optionalTime('When the current period ends'),
    activeIntroductoryOfferType: offerType('Introductory offer of the current period'),
    activePromotionalOfferType: offerType('Promotional offer of the current period'),
    activePromotionalOfferId: orNull(text('The promotional offer')),
    unsubscribedAt: optionalTime('When renewal was turned off'),
    billingIssueDetectedAt: optionalTime('When a payment failed'),
  }),
  NonSubscription: answered('The latest one-time purchase of a product', {
    isConsumable: boolean('Whether it can be bought again and again'),
    isOneTime: boolean('Always true'),
    isRefund: boolean('Whether it was refunded'),
    purchasedAt: time('When it was bought'),
    purchasedId: text("The store's id of the purchase"),
    store,
    sourceProductId: text('Product of the store'),
    transactionId: text("The store's id of the transaction"),
  }),
  LedgerEntry: answered('A movement of money', {
    id: text("The store's own id of it"),
    time: time('When the money moved'),
    type: oneOf(movementTypes, 'What moved'),
    store,
    environment: oneOf(PurchaseEnvironment.options, 'Sandbox earns nothing'),
    transactionId: text('The transaction'),
    originalTransactionId: orNull(text('What its chain is known by; null on Play')),
    productId: text('Product of the store'),
    amount: decimal('Negative where it was given back', '9.99'),
    currency: text('ISO 4217 code', { examples: ['EUR'] }),
    usd: orNull(decimal('amount × rate; null until a rate is known', '11.4885')),
    rate: orNull(decimal('USD for one unit of the currency, on the day of purchase', '1.15')),
    refundOf: orNull(text('The charge that was given back')),
    paywallId: orNull(paywallId),
    placementId: orNull(text('Placement that it came of')),
    decisionId: orNull(uuid('Decision that it came of')),
  }),
};
