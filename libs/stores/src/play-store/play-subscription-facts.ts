import type {
  CancellationReason,
  Phase,
  SubscriptionFact,
  SubscriptionStatus,
  TransactionFact,
} from '@paywright/contracts';
import { earlier } from '../earlier.ts';
import type { PlayLineItem, PlayOrder, PlaySubscription } from './play-answers.ts';
import { billionthsOf, type PlayMoney, playMoney } from './play-money.ts';
import { addOnsOfOrder, isCharged, paidFor, periodOfOrder, storeShareOf, wasFree } from './play-order-facts.ts';
import { phaseOfLine } from './play-phase.ts';

type State = PlaySubscription['subscriptionState'];

/** A line of a subscription, with the order that last paid for it as far as it could be read. */
export interface PlayLine {
  readonly item: PlayLineItem;
  readonly orderId: string | null;
  readonly order: PlayOrder | null;
}

const entitledStatus: Record<Phase, SubscriptionStatus> = {
  trial: 'trial',
  intro: 'intro',
  regular: 'active',
  prorated: 'active',
};

const otherStatus: Record<
  Exclude<State, 'SUBSCRIPTION_STATE_ACTIVE' | 'SUBSCRIPTION_STATE_CANCELED'>,
  SubscriptionStatus
> = {
  SUBSCRIPTION_STATE_PENDING: 'pending',
  SUBSCRIPTION_STATE_IN_GRACE_PERIOD: 'grace',
  SUBSCRIPTION_STATE_ON_HOLD: 'billing_retry',
  SUBSCRIPTION_STATE_PAUSED: 'paused',
  SUBSCRIPTION_STATE_EXPIRED: 'expired',
  SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED: 'expired',
  unknown: 'unknown',
};

const statusOf = (state: State, phase: Phase): SubscriptionStatus =>
  state === 'SUBSCRIPTION_STATE_ACTIVE' || state === 'SUBSCRIPTION_STATE_CANCELED'
    ? entitledStatus[phase]
    : otherStatus[state];

/**
 * How one line of the subscription stands.
 * @param observedAt stands in for the start of one that has none yet: it waits for its payment
 */
export function playSubscriptionFact(token: PlaySubscription, line: PlayLine, observedAt: number): SubscriptionFact {
  const { item, order, orderId } = line;
  const subscription = asOfLine(token, line, observedAt);
  const { subscriptionState: state, startTime, canceledStateContext: cancelled } = subscription;
  const period = periodOfOrder(order, item.productId);
  const expiresAt = item.expiryTime ?? null;
  const isInGrace = state === 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD';
  const isPaused = state === 'SUBSCRIPTION_STATE_PAUSED';
  const isUnpaid = isInGrace || state === 'SUBSCRIPTION_STATE_ON_HOLD';
  const periodEnd = period.endsAt ?? expiresAt;
  return {
    status: statusOf(state, phaseOf(line)),
    productId: item.productId,
    basePlanId: item.offerDetails?.basePlanId ?? null,
    offerId: item.offerDetails?.offerId ?? null,
    transactionId: orderId,
    startsAt: period.startsAt ?? startTime ?? observedAt,
    // In grace Google moves the expiry on to the end of the grace. A pause begins when what was paid is over.
    expiresAt: isInGrace ? periodEnd : isPaused ? earlier(periodEnd, expiresAt) : expiresAt,
    graceExpiresAt: isInGrace ? expiresAt : null,
    isOpenEnded: false,
    willRenew: willRenew(subscription, item),
    renewsAs: item.deferredItemReplacement?.productId ?? null,
    ...(willRenew(subscription, item) && renewalPriceOf(item)),
    unsubscribedAt: cancelled?.userInitiatedCancellation?.cancelTime ?? null,
    billingIssueAt: isUnpaid ? periodEnd : null,
    cancellationReason: cancellationReason(subscription, line),
  };
}

/**
 * Google's state is that of the lines that go on: beside them, one that was not to renew and is past its end has expired.
 * In grace is what was due: one whose own order paid beyond now is as it was.
 */
function asOfLine(subscription: PlaySubscription, { item, order }: PlayLine, observedAt: number): PlaySubscription {
  const paidUntil = periodOfOrder(order, item.productId).endsAt ?? 0;
  const isInGrace = subscription.subscriptionState === 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD';
  if (isInGrace && paidUntil > observedAt && subscription.lineItems.length > 1)
    return { ...subscription, subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE' };
  const goesOn = (one: PlayLineItem) => (one.expiryTime ?? 0) > observedAt || willRenew(subscription, one);
  return !goesOn(item) && subscription.lineItems.some(goesOn)
    ? { ...subscription, subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED' }
    : subscription;
}

/**
 * The purchase that a line's order made. Without the order, the recurring price stands in for a regular period's, marked as an
 * estimate.
 * @param known `purchasedAt`: when the order was made, should neither order nor subscription say so; `formers`: those whose
 * place the subscription took, the first of them last
 * @returns null if nothing was bought: no order yet, or one that waits for its payment
 */
export function playTransactionFact(
  subscription: PlaySubscription,
  line: PlayLine,
  { purchasedAt, formers }: { purchasedAt: number; formers: readonly PlaySubscription[] },
): TransactionFact | null {
  const { item, order, orderId } = line;
  if (orderId === null || (order && !isCharged(order))) return null;
  const period = periodOfOrder(order, item.productId);
  const { startTime } = subscription;
  const boughtAt = order?.createTime ?? (isRenewal(orderId) ? null : startTime) ?? purchasedAt;
  const phase = period.phase ?? phaseOfLine(item) ?? 'regular';
  const addOns = addOnsOfOrder(order, item.productId, boughtAt);
  const originallyPurchasedAt = beganWith(subscription, line, formers);
  const isChange = isPlanChange(subscription, line, formers[0]);
  return {
    transactionId: orderId,
    kind: 'subscription',
    productId: item.productId,
    basePlanId: item.offerDetails?.basePlanId ?? null,
    offerId: item.offerDetails?.offerId ?? null,
    phase,
    purchasedAt: boughtAt,
    ...(originallyPurchasedAt != null && { originallyPurchasedAt }),
    startsAt: period.startsAt ?? boughtAt,
    expiresAt: period.endsAt ?? item.expiryTime ?? null,
    ...priceOf(subscription, line, phase),
    isFamilyShared: false,
    isUpgraded: false,
    ...(isChange && { isPlanChange: true }),
    ...(order && !isChange && wasFree(order, phase) && { isFree: true }),
    ...(addOns.length > 0 && { addOns }),
  };
}

/**
 * When the purchase was made that an order goes on with; null: none, or Google does not say. Where another plan is yet to
 * take the place of the one that runs, or an add-on joined it, that one's order is of a token of before: then it is older
 * than this token.
 */
function beganWith(
  subscription: PlaySubscription,
  { item, orderId, order }: PlayLine,
  formers: readonly PlaySubscription[],
): number | null {
  const { startTime } = subscription;
  const [former] = formers;
  const formerStarts = formers.flatMap(({ startTime: start }) => start ?? []);
  const first = formerStarts.at(-1) ?? null;
  const boughtAt = order?.createTime ?? null;
  const isOlder = boughtAt !== null && boughtAt < (startTime ?? 0);
  const isDeferred = item.deferredItemReplacement != null;
  const mayBeOfFormer = first !== null && (isDeferred || (isOlder && hasPlanOf(former, item)));
  if (orderId !== null && isRenewal(orderId)) {
    const isOfFormer = mayBeOfFormer && (boughtAt === null || isOlder);
    return isOfFormer ? first : (startTime ?? null);
  }
  if (former && hasJoined(subscription, item, former)) return null;
  if (!mayBeOfFormer) return first;
  if (boughtAt === null) return null;
  const distance = (start: number) => Math.abs(start - boughtAt);
  const starts = [startTime ?? Infinity, ...formerStarts];
  return distance(first) <= Math.min(...starts.map(distance)) ? null : first;
}

const hasPlanOf = (subscription: PlaySubscription | undefined, { productId, offerDetails }: PlayLineItem): boolean =>
  subscription?.lineItems.some(
    (each) => each.productId === productId && each.offerDetails?.basePlanId === offerDetails?.basePlanId,
  ) === true;

/** Whether it is beside all that the former token had: an add-on, which took no plan's place. */
const hasJoined = (subscription: PlaySubscription, item: PlayLineItem, former: PlaySubscription): boolean =>
  !hasPlanOf(former, item) && former.lineItems.every((each) => hasPlanOf(subscription, each));

/** Whether the first order of a token bought another plan in the place of what the former token had. */
const isPlanChange = (
  subscription: PlaySubscription,
  { item, orderId }: PlayLine,
  former: PlaySubscription | undefined,
): boolean =>
  former !== undefined &&
  orderId !== null &&
  !isRenewal(orderId) &&
  !item.deferredItemReplacement &&
  !hasPlanOf(former, item) &&
  !hasJoined(subscription, item, former);

/** Renewals have the first order's id with `..0`, `..1` and so on behind it. */
export const isRenewal = (orderId: string) => /\.\.\d+$/.test(orderId);

const phaseOf = ({ item, order }: PlayLine): Phase =>
  phaseOfLine(item) ?? periodOfOrder(order, item.productId).phase ?? 'regular';

function priceOf(
  { subscriptionState: state }: PlaySubscription,
  { item, order }: PlayLine,
  phase: Phase,
): Pick<TransactionFact, 'price' | 'isEstimate' | 'storeShare'> {
  const paid = order && paidFor(order);
  if (paid) return { price: paid, isEstimate: false, ...storeShareOf(order) };
  // In any other state the line's phase and price can already be those of a period that nobody paid for.
  const isInPaidPeriod = state === 'SUBSCRIPTION_STATE_ACTIVE' || state === 'SUBSCRIPTION_STATE_CANCELED';
  const listed = item.autoRenewingPlan?.recurringPrice;
  if (!listed || !isInPaidPeriod) return { price: null, isEstimate: false };
  const price = playMoney(listed);
  if (phase === 'trial') return { price: { ...price, amount: '0' }, isEstimate: false };
  // An introduction, or what bridges a change of plan, costs less than the list price, and by how much the order alone says.
  return phase === 'regular' ? { price, isEstimate: true } : { price: null, isEstimate: false };
}

/** What Google says that it will charge, before discounts; of a plan that another one takes the place of, nothing. */
function renewalPriceOf(item: PlayLineItem): Pick<SubscriptionFact, 'renewalPrice'> {
  const price = changedPriceOf(item) ?? item.autoRenewingPlan?.recurringPrice;
  return price && !item.deferredItemReplacement && billionthsOf(price) >= 0n ? { renewalPrice: playMoney(price) } : {};
}

/** The new price, from the charge on that ends this period: where it takes a consent, without that nothing is charged. */
function changedPriceOf({ autoRenewingPlan, expiryTime }: PlayLineItem): PlayMoney | null {
  const change = autoRenewingPlan?.priceChangeDetails;
  const isToCome = change?.priceChangeState === 'OUTSTANDING' || change?.priceChangeState === 'CONFIRMED';
  return isToCome && change.expectedNewPriceChargeTime <= (expiryTime ?? 0) ? change.newPrice : null;
}

function willRenew({ subscriptionState: state }: PlaySubscription, item: PlayLineItem): boolean {
  const isOver =
    state === 'SUBSCRIPTION_STATE_CANCELED' ||
    state === 'SUBSCRIPTION_STATE_EXPIRED' ||
    state === 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED' ||
    state === 'unknown';
  return !isOver && !item.deferredItemRemoval && item.autoRenewingPlan?.autoRenewEnabled === true;
}

function cancellationReason(subscription: PlaySubscription, { item, order }: PlayLine): CancellationReason | null {
  const { subscriptionState: state, canceledStateContext: context } = subscription;
  const isEnded = state === 'SUBSCRIPTION_STATE_EXPIRED' || state === 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED';
  const isPrepaid = item.prepaidPlan != null;
  if (state === 'unknown' || (!isEnded && (isPrepaid || willRenew(subscription, item)))) return null;
  if (isEnded && order?.state === 'REFUNDED') return 'refund';
  if (context?.replacementCancellation) return 'upgraded';
  if (context?.systemInitiatedCancellation) return 'billing_error';
  if (context?.developerInitiatedCancellation) return 'unknown';
  if (context?.userInitiatedCancellation || !isEnded) return 'voluntarily_cancelled';
  return isPrepaid ? null : 'unknown';
}
