import type { androidpublisher_v3 } from '@googleapis/androidpublisher';
import {
  playInstant,
  playOrder,
  playPrice,
  playProduct,
  playSubscription,
  type PlayPeriod,
} from '@paywright/stores/testing';
import { givenBackOf, paidFor } from '../domain/payments.ts';
import { decimalsOf, isZero, minus, shareOf } from '../domain/amounts.ts';
import {
  lastPeriod,
  withAddOns,
  type AddOn,
  type Period,
  type Purchase,
  type Standing,
  type Terms,
} from '../domain/purchase.ts';
import { paymentIdOf } from '../state/ids.ts';

type LineItem = androidpublisher_v3.Schema$SubscriptionPurchaseLineItem;
type OrderLine = androidpublisher_v3.Schema$LineItem;
type AutoRenewingPlan = androidpublisher_v3.Schema$AutoRenewingPlan;

const phases = { trial: 'freeTrial', intro: 'introductoryPrice', regular: 'basePrice' } as const;
const states: Readonly<Record<Standing, string>> = {
  running: 'SUBSCRIPTION_STATE_ACTIVE',
  grace: 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD',
  retry: 'SUBSCRIPTION_STATE_ON_HOLD',
  paused: 'SUBSCRIPTION_STATE_PAUSED',
  ended: 'SUBSCRIPTION_STATE_EXPIRED',
};

const playPeriod = (purchase: Purchase, period: Period): PlayPeriod => ({
  productId: period.terms.productId,
  orderId: paymentIdOf(purchase, period.number),
  startsAt: period.startsAt,
  endsAt: period.endsAt ?? period.startsAt,
  phase: phases[period.phase],
});

const acknowledgement = ({ isAcknowledged }: Purchase) =>
  isAcknowledged ? 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED' : 'ACKNOWLEDGEMENT_STATE_PENDING';

/** `purchases.subscriptionsv2` of a subscription, as it stands. */
export function subscriptionResource(purchase: Purchase): androidpublisher_v3.Schema$SubscriptionPurchaseV2 {
  const { standing, willRenew, until, terms, nextTerms, currency, country, account, replaces, environment } = purchase;
  const last = lastPeriod(purchase);
  const [first] = purchase.periods;
  const offerId = last.phase === 'regular' ? null : purchase.offer?.id;
  const isOff = standing === 'running' && !willRenew;
  const isReplacedLater = nextTerms !== null && nextTerms.productId !== terms.productId;
  const alone = playSubscription(
    playPeriod(purchase, last),
    {
      subscriptionState: isOff ? 'SUBSCRIPTION_STATE_CANCELED' : states[standing],
      startTime: playInstant(first.carried?.since ?? first.startsAt),
      regionCode: country,
      acknowledgementState: acknowledgement(purchase),
      ...(replaces !== null && { linkedPurchaseToken: replaces }),
      ...(account !== null && { externalAccountIdentifiers: { obfuscatedExternalAccountId: account } }),
      ...(environment === 'sandbox' && { testPurchase: {} }),
      ...(standing === 'paused' && until !== null && { pausedStateContext: { autoResumeTime: playInstant(until) } }),
      ...((isOff || standing === 'ended') && { canceledStateContext: cancelledBy(purchase) }),
    },
    {
      // In grace Google moves the expiry on to the end of the grace.
      ...(standing === 'grace' && until !== null && { expiryTime: playInstant(until) }),
      autoRenewingPlan: {
        autoRenewEnabled: willRenew,
        recurringPrice: playPrice(`${currency} ${terms.price}`),
        ...(nextTerms !== null && !isReplacedLater && priceChangeOf(purchase, nextTerms)),
      },
      offerDetails: {
        ...(last.terms.planId !== null && { basePlanId: last.terms.planId }),
        ...(offerId != null && { offerId }),
      },
      ...(isReplacedLater && { deferredItemReplacement: { productId: nextTerms.productId } }),
    },
  );
  const lineItems = alone.lineItems!.flatMap((plan) => [plan, ...addOnLines(purchase, plan)]);
  return { ...alone, lineItems: [...lineItems, ...(isReplacedLater ? [lineToCome(purchase, nextTerms)] : [])] };
}

/** The plan that takes the place of the present one at the renewal: until then nothing was paid for it. */
const lineToCome = ({ currency }: Purchase, { productId, planId, price }: Terms): LineItem => ({
  productId,
  autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: playPrice(`${currency} ${price}`) },
  offerDetails: planId === null ? {} : { basePlanId: planId },
});

/** What the plan costs from the end of the period on: until then the present price stays. */
function priceChangeOf(purchase: Purchase, { price }: Terms): Pick<AutoRenewingPlan, 'priceChangeDetails'> {
  const { terms, currency, awaitsConsent } = purchase;
  const { endsAt } = lastPeriod(purchase);
  if (price === terms.price || endsAt === null) return {};
  return {
    priceChangeDetails: {
      newPrice: playPrice(`${currency} ${price}`),
      priceChangeMode: minus(price, terms.price).startsWith('-') ? 'PRICE_DECREASE' : 'PRICE_INCREASE',
      priceChangeState: awaitsConsent ? 'OUTSTANDING' : 'CONFIRMED',
      expectedNewPriceChargeTime: playInstant(endsAt),
    },
  };
}

/** The add-ons of a plan, which run and renew with it; one that the next terms leave out is taken off then. */
function addOnLines({ terms, nextTerms, willRenew, currency }: Purchase, plan: LineItem): LineItem[] {
  const stays = ({ productId }: AddOn) => nextTerms?.addOns?.some((next) => next.productId === productId) ?? !nextTerms;
  return (terms.addOns ?? []).map((addOn) => ({
    productId: addOn.productId,
    expiryTime: plan.expiryTime ?? null,
    latestSuccessfulOrderId: plan.latestSuccessfulOrderId ?? null,
    autoRenewingPlan: {
      autoRenewEnabled: willRenew && stays(addOn),
      recurringPrice: playPrice(`${currency} ${addOn.price}`),
    },
    offerDetails: addOn.planId === null ? {} : { basePlanId: addOn.planId },
    offerPhase: { basePrice: {} },
    ...(!stays(addOn) && { deferredItemRemoval: {} }),
  }));
}

function cancelledBy({ endReason, cancelledAt, endedAt }: Purchase): androidpublisher_v3.Schema$CanceledStateContext {
  if (endReason === 'replaced') return { replacementCancellation: {} };
  if (endReason === 'billing') return { systemInitiatedCancellation: {} };
  const isByUser = cancelledAt !== null || endReason === 'voluntary' || endReason === 'price-increase';
  const cancelTime = cancelledAt ?? endedAt;
  if (isByUser)
    return { userInitiatedCancellation: cancelTime === null ? {} : { cancelTime: playInstant(cancelTime) } };
  return { developerInitiatedCancellation: {} };
}

/** `purchases.productsv2` of what was bought once. */
export function productResource(purchase: Purchase): androidpublisher_v3.Schema$ProductPurchaseV2 {
  const { terms, account, environment, country, periods, quantity = 1 } = purchase;
  const [paid] = periods;
  const isTakenBack = purchase.endReason === 'revoked' || (!isZero(paid.amount) && isZero(paidFor(paid)));
  const productOfferDetails = { quantity, refundableQuantity: isTakenBack ? 0 : quantity };
  return playProduct(terms.productId, paymentIdOf(purchase, 0), paid.paidAt, {
    productLineItem: [{ productId: terms.productId, productOfferDetails }],
    purchaseStateContext: { purchaseState: isTakenBack ? 'CANCELLED' : 'PURCHASED' },
    regionCode: country,
    acknowledgementState: acknowledgement(purchase),
    ...(account !== null && { obfuscatedExternalAccountId: account }),
    ...(environment === 'sandbox' && { testPurchaseContext: { fopType: 'TEST' } }),
  });
}

/** Google keeps so much of the hundred. */
const storePercent = 15;

/** `orders` of what paid for a period, with what was given back of it: also the revenue is that of what is left. */
export function orderResource(purchase: Purchase, period: Period): androidpublisher_v3.Schema$Order {
  const { currency, kind, quantity = 1 } = purchase;
  const money = (amount: string) => playPrice(`${currency} ${amount}`);
  const total = money(period.amount);
  const left = paidFor(period);
  const revenue = minus(left, shareOf(left, storePercent, decimalsOf(currency)));
  const refunds = period.refunds.filter(({ reversedAt }) => reversedAt === null);
  const isRefunded = refunds.length > 0 && isZero(left);
  const isPartly = refunds.length > 0 && !isRefunded && !isZero(givenBackOf(period));
  const parts = isRefunded ? refunds.slice(0, -1) : refunds;
  const productId = period.terms.productId;
  const whole = playOrder(playPeriod(purchase, period), `${currency} ${period.amount}`, {
    purchaseToken: period.carried?.token ?? purchase.id,
    state: isRefunded ? 'REFUNDED' : isPartly ? 'PARTIALLY_REFUNDED' : 'PROCESSED',
    createTime: playInstant(period.paidAt),
    tax: money('0'),
    developerRevenueInBuyerCurrency: money(revenue),
    ...(kind === 'one-time' && { lineItems: [{ productId, total, oneTimePurchaseDetails: { quantity } }] }),
    orderHistory: {
      processedEvent: { eventTime: playInstant(period.paidAt) },
      ...(parts.length > 0 && {
        partialRefundEvents: parts.map(({ at, amount }) => ({
          createTime: playInstant(at),
          processTime: playInstant(at),
          state: 'PROCESSED_SUCCESSFULLY',
          refundDetails: { total: money(amount) },
        })),
      }),
      ...(isRefunded && {
        refundEvent: {
          eventTime: playInstant(refunds.at(-1)!.at),
          refundReason: 'OTHER',
          refundDetails: { total: money(refunds.at(-1)!.amount) },
        },
      }),
    },
  });
  return { ...whole, lineItems: whole.lineItems!.flatMap((line) => orderLines(period, line, money)) };
}

/** A plan's line of an order, and those of its add-ons, whose price is no part of the plan's. */
function orderLines({ terms, amount }: Period, plan: OrderLine, money: typeof playPrice): OrderLine[] {
  const lines = (terms.addOns ?? []).map(({ productId, planId, price }) => ({
    productId,
    total: money(price),
    subscriptionDetails: { ...plan.subscriptionDetails, basePlanId: planId, offerPhaseDetails: { baseDetails: {} } },
  }));
  return [{ ...plan, total: money(minus(amount, withAddOns('0', terms))) }, ...lines];
}
