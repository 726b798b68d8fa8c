import type { androidpublisher_v3 } from '@googleapis/androidpublisher';

type Subscription = androidpublisher_v3.Schema$SubscriptionPurchaseV2;
type LineItem = androidpublisher_v3.Schema$SubscriptionPurchaseLineItem;
type Product = androidpublisher_v3.Schema$ProductPurchaseV2;
type Order = androidpublisher_v3.Schema$Order;
type OrderPeriod = androidpublisher_v3.Schema$SubscriptionDetails;

/** A period of a subscription, times in milliseconds. */
export interface PlayPeriod {
  readonly productId: string;
  readonly orderId: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly phase?: 'freeTrial' | 'introductoryPrice' | 'basePrice' | 'prorationPeriod';
}

const orderPhase = {
  freeTrial: { freeTrialDetails: {} },
  introductoryPrice: { introductoryPriceDetails: {} },
  basePrice: { baseDetails: {} },
  prorationPeriod: { prorationPeriodDetails: {} },
} as const;

export const playInstant = (ms: number): string => new Date(ms).toISOString();

/** `USD 9.99` and the like as Google's `Money`; a part that is 0 is left out. */
export function playPrice(text: string): androidpublisher_v3.Schema$Money {
  const [, currencyCode = '', units = '0', fraction = ''] = /^([A-Z]{3}) (\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const nanos = Number(fraction.padEnd(9, '0'));
  return { currencyCode, ...(units !== '0' && { units }), ...(nanos !== 0 && { nanos }) };
}

/** A subscription that is paid, renews itself and has one line; `changes` replace fields of it, `line` of the line. */
export function playSubscription(
  { productId, orderId, startsAt, endsAt, phase = 'basePrice' }: PlayPeriod,
  changes: Subscription = {},
  line: LineItem = {},
): Subscription {
  return {
    kind: 'androidpublisher#subscriptionPurchaseV2',
    subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE',
    startTime: playInstant(startsAt),
    regionCode: 'US',
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    lineItems: [
      {
        productId,
        expiryTime: playInstant(endsAt),
        latestSuccessfulOrderId: orderId,
        autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: playPrice('USD 9.99') },
        offerDetails: { basePlanId: 'monthly' },
        offerPhase: { [phase]: {} },
        ...line,
      },
    ],
    ...changes,
  };
}

/** The order that paid for a period. */
export function playOrder(
  { productId, orderId, startsAt, endsAt, phase = 'basePrice' }: PlayPeriod,
  total: string,
  changes: Order = {},
): Order {
  const subscriptionDetails: OrderPeriod = {
    basePlanId: 'monthly',
    servicePeriodStartTime: playInstant(startsAt),
    servicePeriodEndTime: playInstant(endsAt),
    offerPhaseDetails: orderPhase[phase],
  };
  return {
    orderId,
    state: 'PROCESSED',
    createTime: playInstant(startsAt),
    total: playPrice(total),
    lineItems: [{ productId, total: playPrice(total), subscriptionDetails }],
    orderHistory: { processedEvent: { eventTime: playInstant(startsAt) } },
    ...changes,
  };
}

/** A one-time purchase that is paid. */
export function playProduct(productId: string, orderId: string, boughtAt: number, changes: Product = {}): Product {
  return {
    kind: 'androidpublisher#productPurchaseV2',
    orderId,
    productLineItem: [{ productId, productOfferDetails: { quantity: 1, refundableQuantity: 1 } }],
    purchaseStateContext: { purchaseState: 'PURCHASED' },
    purchaseCompletionTime: playInstant(boughtAt),
    regionCode: 'US',
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    ...changes,
  };
}
