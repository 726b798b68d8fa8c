import type { Observation, RefundFact, SubscriptionFact } from '@paywright/contracts';
import type { PlayLineItem, PlayOrder, PlayProduct, PlaySubscription } from './play-answers.ts';
import type { PlayApi } from './play-api.ts';
import { allOf, isGivingBack, isOver, isUndecided, refundsOf } from './play-order-facts.ts';
import { oneTimeTransactionId, playProductFact } from './play-product-facts.ts';
import type { PlayObservation } from './play-store.ts';
import { isRenewal, type PlayLine, playSubscriptionFact, playTransactionFact } from './play-subscription-facts.ts';

/** What an observation is made with: the start of the fetch, and what the reader asks for. */
export interface PlayView {
  readonly token: string;
  readonly observedAt: number;
  /** An order that a notification names: it may be older than the latest. */
  readonly orderId?: string | null | undefined;
  /** Google said that it gave that order's money back, or is about to. */
  readonly isVoided?: boolean | undefined;
  /** See PlayLookUp. */
  readonly voidedSince?: number | undefined;
  readonly wasShown?: boolean | undefined;
}

/** Orders that were asked for: those that Google shows, and ids of those that the account may not see. */
interface ReadOrders {
  readonly shown: ReadonlyMap<string, PlayOrder>;
  readonly hidden: ReadonlySet<string>;
}

/** What Google says of a subscription, with the orders that paid for it. `originalId` is the token itself. */
export async function observePlaySubscription(
  api: PlayApi,
  answer: PlaySubscription,
  view: PlayView,
  signal: AbortSignal,
): Promise<PlayObservation> {
  const { token, observedAt } = view;
  const subscription = withOwnedLines(answer);
  const isSettled = !['SUBSCRIPTION_STATE_PENDING', 'unknown'].includes(subscription.subscriptionState);
  const orderIds = isSettled
    ? [...subscription.lineItems.map((item) => item.latestSuccessfulOrderId), view.orderId]
    : [];
  const isOfFormer = subscription.lineItems.some((item) => item.deferredItemReplacement);
  const [read, formers] = await Promise.all([
    readOrders(api, orderIds, signal),
    isOfFormer || orderIds.some((id) => id != null && !isRenewal(id)) ? formersOf(api, subscription, signal) : [],
  ]);
  const orders = read.shown;
  const factOf = (line: PlayLine) => playTransactionFact(subscription, line, { purchasedAt: observedAt, formers });
  const lines = subscription.lineItems.map((item): PlayLine => {
    const orderId = (isSettled && item.latestSuccessfulOrderId) || null;
    return { item, orderId, order: orders.get(orderId ?? '') ?? null };
  });
  const facts = lines.map((line) => playSubscriptionFact(subscription, line, observedAt)).sort(byGoingOn);
  const addOns = facts.slice(1).sort(byProduct);
  const transactions = lines.flatMap((line) => factOf(line) ?? []);
  const named = namedOrder(lines, orders, view, transactions);
  const older = named ? (factOf(named) ?? []) : [];
  const observation: Observation = {
    store: 'play_store',
    environment: subscription.testPurchase ? 'sandbox' : 'production',
    originalId: token,
    observedAt,
    replaces: replacedBy(subscription),
    account: accountOf(subscription),
    subscription: facts[0]!,
    ...(addOns.length > 0 && { addOns }),
    transactions: distinct(transactions.concat(older)),
    refunds: refundsOfAll(read, view),
    reversedRefunds: [],
    revokedTransactions: [],
  };
  return { observation, unreadOrders: unreadOrders(observation, orderIds, orders, view) };
}

/** What Google says of a one-time purchase, with all its products. `originalId` is the token itself. */
export async function observePlayProduct(
  api: PlayApi,
  product: PlayProduct,
  view: PlayView,
  signal: AbortSignal,
): Promise<PlayObservation> {
  const { token, observedAt } = view;
  const read = await readOrders(api, [product.orderId], signal);
  const orders = read.shown;
  const order = orders.get(product.orderId ?? '') ?? null;
  const state = product.purchaseStateContext?.purchaseState ?? 'unknown';
  const fact = state === 'unknown' ? null : playProductFact(product, { token, order, observedAt });
  const observation: Observation = {
    store: 'play_store',
    environment: product.testPurchaseContext ? 'sandbox' : 'production',
    originalId: token,
    observedAt,
    replaces: [],
    account: product.obfuscatedExternalAccountId ?? null,
    subscription: null,
    transactions: fact ? [fact] : [],
    refunds: fact || state === 'PURCHASED' ? refundsOfAll(read, view) : [],
    reversedRefunds: [],
    revokedTransactions: isTakenBack(product, order, view) ? [oneTimeTransactionId(product, token)] : [],
  };
  return { observation, unreadOrders: unreadOrders(observation, [product.orderId], orders, view) };
}

/** By its state, which can come later than the word that all of it is void. What was refunded alone, Google calls purchased. */
function isTakenBack({ purchaseStateContext, orderId }: PlayProduct, order: PlayOrder | null, view: PlayView): boolean {
  if (purchaseStateContext?.purchaseState === 'CANCELLED') return true;
  return view.isVoided === true && view.orderId === orderId && order !== null && isOver(order);
}

/**
 * What an order gave back whose purchase Google keeps no longer: a bank may claim the money back months after the end. Of
 * the purchase itself nobody tells any more.
 * @returns null if no order is asked for, or it gave nothing back; one that is not shown, or not decided yet, may
 */
export async function observeGivenBack(
  api: PlayApi,
  view: PlayView,
  signal: AbortSignal,
): Promise<PlayObservation | null> {
  const { token, observedAt, orderId } = view;
  const read = await readOrders(api, [orderId], signal);
  const observation: Observation = {
    store: 'play_store',
    // An order does not say; a test purchase earned nothing that could be given back.
    environment: 'production',
    originalId: token,
    observedAt,
    replaces: [],
    account: null,
    subscription: null,
    transactions: [],
    refunds: refundsOfAll(read, view),
    reversedRefunds: [],
    revokedTransactions: [],
  };
  const unread = unreadOrders(observation, [orderId], read.shown, view);
  return observation.refunds.length > 0 || unread.length > 0 ? { observation, unreadOrders: unread } : null;
}

/** A line without an order is yet to take another's place, unless all still wait for their payment. */
function withOwnedLines(subscription: PlaySubscription): PlaySubscription {
  const lineItems = subscription.lineItems.filter(({ latestSuccessfulOrderId }) => latestSuccessfulOrderId != null);
  return lineItems.length > 0 ? { ...subscription, lineItems } : subscription;
}

/** What renews comes first, as Google lists it; of the rest, what lasts longest. */
const byGoingOn = (a: SubscriptionFact, b: SubscriptionFact): number =>
  a.willRenew || b.willRenew ? Number(b.willRenew) - Number(a.willRenew) : (b.expiresAt ?? 0) - (a.expiresAt ?? 0);

const byProduct = (a: SubscriptionFact, b: SubscriptionFact): number => (a.productId < b.productId ? -1 : 1);

async function readOrders(
  api: PlayApi,
  ids: readonly (string | null | undefined)[],
  signal: AbortSignal,
): Promise<ReadOrders> {
  const wanted = [...new Set(ids)].filter((id) => id != null);
  const answers = await Promise.all(wanted.map(async (id) => ({ id, answer: await api.order(id, signal) })));
  return {
    shown: new Map(answers.flatMap(({ answer }) => (typeof answer === 'object' ? [[answer.orderId, answer]] : []))),
    hidden: new Set(answers.filter(({ answer }) => answer === 'hidden').map(({ id }) => id)),
  };
}

/**
 * What went back of the orders, by themselves or, as long as that one is not shown, by Google's word that one is void. One that
 * was shown before and is missing now tells by itself how much, unless the account may not see it any more.
 */
function refundsOfAll(
  { shown, hidden }: ReadOrders,
  { observedAt, orderId, voidedSince, wasShown }: PlayView,
): RefundFact[] {
  const told = [...shown.values()].flatMap((order) => refundsOf(order, observedAt));
  if (orderId == null || voidedSince === undefined || shown.has(orderId)) return told;
  return wasShown && !hidden.has(orderId) ? told : [...told, allOf(orderId, voidedSince, null)];
}

/**
 * The orders that were asked for and not shown, or not decided yet, or whose money is on its way back. Play money earns nothing, and
 * of a trial its price is known, unless something else may have been paid for with it.
 */
function unreadOrders(
  { environment, transactions, addOns = [] }: Observation,
  ids: readonly (string | null | undefined)[],
  orders: ReadonlyMap<string, PlayOrder>,
  { orderId: named, isVoided }: PlayView,
): readonly string[] {
  const isPriced = (id: string) =>
    addOns.length === 0 &&
    transactions.some(({ transactionId, price, isEstimate }) => transactionId === id && price && !isEstimate);
  if (environment === 'sandbox') return [];
  const isRead = (order: PlayOrder | undefined) => order !== undefined && !isUndecided(order);
  const isToGiveBack = (id: string) => {
    const order = orders.get(id);
    // A part that went back may have done so long before all of it was voided.
    const isAwaited = isVoided === true && id === named;
    return order !== undefined && !isOver(order) && (isAwaited || isGivingBack(order));
  };
  return [...new Set(ids)]
    .filter((id) => id != null)
    .filter((id) => isToGiveBack(id) || (!isRead(orders.get(id)) && !isPriced(id)));
}

/**
 * The order that was asked for, where it is none of the latest: an earlier period of the line that it names, or of a product
 * that is not held any more.
 */
function namedOrder(
  lines: readonly PlayLine[],
  orders: ReadonlyMap<string, PlayOrder>,
  { orderId }: PlayView,
  known: readonly { transactionId: string }[],
): PlayLine | null {
  const order = orders.get(orderId ?? '');
  if (!orderId || !order || known.some(({ transactionId }) => transactionId === orderId)) return null;
  const names = (product: string) => order.lineItems?.some(({ productId }) => productId === product);
  const item = lines.find(({ item }) => names(item.productId))?.item ?? formerItem(order) ?? lines[0]!.item;
  return { item, orderId, order };
}

/** A line as its order tells of it. */
function formerItem({ lineItems }: PlayOrder): PlayLineItem | null {
  const { productId, subscriptionDetails: offerDetails } = lineItems?.[0] ?? {};
  return productId == null ? null : { productId, offerDetails };
}

/** A purchase that waits, or was given up while it waited, has replaced nothing. */
function replacedBy({ subscriptionState, linkedPurchaseToken, outOfAppPurchaseContext }: PlaySubscription): string[] {
  const isInForce = !(
    subscriptionState === 'SUBSCRIPTION_STATE_PENDING' ||
    subscriptionState === 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED' ||
    subscriptionState === 'unknown'
  );
  const links = [linkedPurchaseToken, outOfAppPurchaseContext?.expiredPurchaseToken].filter((link) => link != null);
  return isInForce ? [...new Set(links)] : [];
}

/** More plans than anybody goes through; it ends links that would lead in a circle. */
const mostPlans = 10;

/**
 * The subscriptions whose place this one took, the first of them last, as far as Google still tells: a change of plan goes on
 * with that purchase. Empty: it took no other's place, or Google does not say.
 */
async function formersOf(
  api: PlayApi,
  changed: PlaySubscription,
  signal: AbortSignal,
): Promise<readonly PlaySubscription[]> {
  const formers: PlaySubscription[] = [];
  let token = changed.linkedPurchaseToken;
  for (let plans = 0; token != null && plans < mostPlans; plans++) {
    const former = await api.subscription(token, signal);
    if (typeof former === 'string') break;
    formers.push(former);
    token = former.linkedPurchaseToken;
  }
  return formers;
}

const accountOf = ({ externalAccountIdentifiers, outOfAppPurchaseContext }: PlaySubscription): string | null =>
  externalAccountIdentifiers?.obfuscatedExternalAccountId ??
  outOfAppPurchaseContext?.expiredExternalAccountIdentifiers?.obfuscatedExternalAccountId ??
  null;

const distinct = <T extends { transactionId: string }>(facts: readonly T[]): T[] =>
  [...new Map([...facts].reverse().map((fact) => [fact.transactionId, fact])).values()].reverse();
