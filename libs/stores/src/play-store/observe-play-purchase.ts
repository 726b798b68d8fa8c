import type { Observation } from '@paywright/contracts';
import type { PlayOrder, PlayProduct, PlaySubscription } from './play-answers.ts';
import type { Missing, PlayApi } from './play-api.ts';
import { refundsOf } from './play-order-facts.ts';
import { oneTimeTransactionId, playProductFact } from './play-product-facts.ts';
import { type PlayLine, playSubscriptionFact, playTransactionFact } from './play-subscription-facts.ts';

/** What an observation is made with: the product and the order that the reader asks for, and the start of the fetch. */
export interface PlayView {
  readonly token: string;
  readonly observedAt: number;
  /** Of several products in one purchase the one that is meant; without it, the one that runs longest. */
  readonly productId?: string | undefined;
  /** An order that a notification names: it may be older than the latest. */
  readonly orderId?: string | null | undefined;
}

/** What Google says of a subscription, with the orders that paid for it. `originalId` is the token itself. */
export async function observePlaySubscription(
  api: PlayApi,
  subscription: PlaySubscription,
  view: PlayView,
  signal: AbortSignal,
): Promise<Observation> {
  const { token, observedAt } = view;
  const items = [...subscription.lineItems].sort((a, b) => rank(b, view) - rank(a, view));
  const isSettled = !['SUBSCRIPTION_STATE_PENDING', 'unknown'].includes(subscription.subscriptionState);
  const orderIds = isSettled ? items.map((item) => item.latestSuccessfulOrderId) : [];
  const orders = await readOrders(api, [...orderIds, isSettled ? view.orderId : null], signal);
  const lines = items.map((item): PlayLine => {
    const orderId = (isSettled && item.latestSuccessfulOrderId) || null;
    return { item, orderId, order: orders.get(orderId ?? '') ?? null };
  });
  const main = lines[0]!;
  const transactions = lines.flatMap((line) => playTransactionFact(subscription, line, observedAt) ?? []);
  const named = namedOrder(main, orders, view, transactions);
  const older = named ? (playTransactionFact(subscription, named, observedAt) ?? []) : [];
  return {
    store: 'play_store',
    environment: subscription.testPurchase ? 'sandbox' : 'production',
    originalId: token,
    observedAt,
    replaces: replacedBy(subscription),
    account: accountOf(subscription),
    subscription: playSubscriptionFact(subscription, main, observedAt),
    transactions: distinct(transactions.concat(older)),
    refunds: [...orders.values()].flatMap((order) => refundsOf(order, observedAt)),
    reversedRefunds: [],
    revokedTransactions: [],
  };
}

/** What Google says of a one-time purchase. `originalId` is the token itself. */
export async function observePlayProduct(
  api: PlayApi,
  product: PlayProduct,
  view: PlayView,
  signal: AbortSignal,
): Promise<Observation> {
  const { token, observedAt } = view;
  const orders = await readOrders(api, [product.orderId], signal);
  const order = orders.get(product.orderId ?? '') ?? null;
  const names = product.productLineItem.map(({ productId }) => productId);
  const productId = names.find((name) => name === view.productId) ?? names[0]!;
  const state = product.purchaseStateContext?.purchaseState ?? 'unknown';
  const fact = state === 'unknown' ? null : playProductFact(product, { token, productId, order, observedAt });
  return {
    store: 'play_store',
    environment: product.testPurchaseContext ? 'sandbox' : 'production',
    originalId: token,
    observedAt,
    replaces: [],
    account: product.obfuscatedExternalAccountId ?? null,
    subscription: null,
    transactions: fact ? [fact] : [],
    refunds: fact && order ? refundsOf(order, observedAt) : [],
    reversedRefunds: [],
    revokedTransactions: state === 'CANCELLED' ? [oneTimeTransactionId(product, token)] : [],
  };
}

type LineItem = PlaySubscription['lineItems'][number];

const rank = (item: LineItem, { productId }: PlayView): number =>
  item.productId === productId ? Infinity : (item.expiryTime ?? 0);

async function readOrders(
  api: PlayApi,
  ids: readonly (string | null | undefined)[],
  signal: AbortSignal,
): Promise<Map<string, PlayOrder>> {
  const wanted = [...new Set(ids)].filter((id) => id != null);
  const answers = await Promise.all(wanted.map((id) => api.order(id, signal)));
  const isOrder = (answer: PlayOrder | Missing) => typeof answer === 'object';
  return new Map(answers.filter(isOrder).map((order) => [order.orderId, order]));
}

/** The order that was asked for, where it is none of the latest: an earlier period of the main line. */
function namedOrder(
  { item }: PlayLine,
  orders: ReadonlyMap<string, PlayOrder>,
  { orderId }: PlayView,
  known: readonly { transactionId: string }[],
): PlayLine | null {
  const order = orders.get(orderId ?? '');
  if (!orderId || !order || known.some(({ transactionId }) => transactionId === orderId)) return null;
  return { item, orderId, order };
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

const accountOf = ({ externalAccountIdentifiers, outOfAppPurchaseContext }: PlaySubscription): string | null =>
  externalAccountIdentifiers?.obfuscatedExternalAccountId ??
  outOfAppPurchaseContext?.expiredExternalAccountIdentifiers?.obfuscatedExternalAccountId ??
  null;

const distinct = <T extends { transactionId: string }>(facts: readonly T[]): T[] =>
  [...new Map([...facts].reverse().map((fact) => [fact.transactionId, fact])).values()].reverse();
