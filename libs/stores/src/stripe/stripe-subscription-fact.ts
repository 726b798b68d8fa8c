import type {
  CancellationReason,
  Money,
  Observation,
  SubscriptionFact,
  SubscriptionStatus,
  TransactionFact,
} from '@paywright/contracts';
import { earlier } from '../earlier.ts';
import type { StripeInvoice, StripeItem, StripePhase, StripeSubscription } from './stripe-answers.ts';
import { beganPeriod } from './stripe-invoice-lines.ts';
import { stripeMoney } from './stripe-money.ts';
import { scheduledNext } from './stripe-schedule.ts';
import { offeredPhase } from './stripe-trial-offer.ts';

type Status = StripeSubscription['status'];

const statusOf: Record<Status, SubscriptionStatus> = {
  incomplete: 'pending',
  incomplete_expired: 'expired',
  trialing: 'trial',
  active: 'active',
  past_due: 'grace',
  unpaid: 'billing_retry',
  paused: 'paused',
  canceled: 'expired',
  unknown: 'unknown',
};
const ended: readonly Status[] = ['canceled', 'incomplete_expired'];
const notRenewing: readonly Status[] = [...ended, 'incomplete', 'paused', 'unknown'];
const unpaid: readonly Status[] = ['past_due', 'unpaid'];

/** What is known of a subscription beside itself. */
interface Known {
  /** All of them, in any order. */
  readonly invoices: readonly StripeInvoice[];
  /** Those that are paid among them. */
  readonly transactions: readonly TransactionFact[];
  /** Ids of those of which all was given back. */
  readonly refunded: readonly string[];
}

/** How the subscription stands: the main one of its items, and the others. State and renewal are those of all. */
export function stripeSubscriptionFacts(
  subscription: StripeSubscription,
  known: Known,
): Pick<Observation, 'subscription' | 'addOns'> {
  const main = mainItem(subscription);
  const others = heldItems(subscription).filter((item) => item !== main);
  const products = new Set(others.map(({ price }) => price.product));
  const prices = renewalPrices(subscription);
  const factOf = (item: StripeItem, paid: readonly TransactionFact[]) =>
    itemFact(subscription, item, { ...known, transactions: paid, renewalPrice: prices.get(item) });
  const isPaidBy = (product: string) => (paid: TransactionFact) =>
    [paid, ...(paid.addOns ?? [])].some(({ productId }) => productId === product);
  const ofMain = known.transactions.filter(
    (paid) => isPaidBy(main.price.product)(paid) || !products.has(paid.productId),
  );
  const addOns = others.map((item) => factOf(item, known.transactions.filter(isPaidBy(item.price.product))));
  return { subscription: factOf(main, ofMain), ...(addOns.length > 0 && { addOns: addOns.sort(byProduct) }) };
}

/** @param transactions those that paid for the item */
function itemFact(
  subscription: StripeSubscription,
  item: StripeItem,
  { invoices, transactions, refunded, renewalPrice }: Known & { readonly renewalPrice: Money | undefined },
): SubscriptionFact {
  const { status, ended_at: endedAt } = subscription;
  const runsUntil = earlier(runsUntilOf(subscription, item), cancelsAt(subscription));
  const isEnded = ended.includes(status);
  const isForgone = status === 'active' && isPaymentForgone(subscription, item, { invoices, transactions });
  const transactionId = isForgone ? null : (current(transactions)?.transactionId ?? null);
  return {
    status: statusOfItem(subscription, item),
    productId: item.price.product,
    basePlanId: item.price.id,
    offerId: null,
    transactionId,
    startsAt: startsAtOf(subscription, item),
    // Cancelled is over at once, whatever was paid for.
    expiresAt: isEnded ? (endedAt ?? runsUntil) : runsUntil,
    graceExpiresAt: null,
    isOpenEnded: status === 'past_due',
    willRenew: willRenew(subscription),
    renewsAs: renewsAs(subscription),
    ...(willRenew(subscription) && renewalPrice && { renewalPrice }),
    // Stripe says so too of an end that lies periods ahead: until its last one it renews.
    unsubscribedAt: willRenew(subscription) ? null : (subscription.canceled_at ?? null),
    billingIssueAt: unpaid.includes(status) ? failedAt(invoices) : null,
    cancellationReason: reasonOf(subscription, refunded.includes(transactionId ?? '')),
  };
}

/** Of each item for itself where a trial offer is the item's. */
function statusOfItem(subscription: StripeSubscription, item: StripeItem): SubscriptionStatus {
  const { status } = subscription;
  const offered =
    status === 'active' || status === 'trialing' ? offeredPhase(item, startsAtOf(subscription, item)) : null;
  return offered ?? statusOf[status];
}

const startsAtOf = (subscription: StripeSubscription, item: StripeItem): number =>
  item.current_period_start ?? subscription.current_period_start ?? subscription.created;

function runsUntilOf(subscription: StripeSubscription, item: StripeItem): number | null {
  const { status, trial_end: trialEnd } = subscription;
  const periodEnd = item.current_period_end ?? subscription.current_period_end ?? null;
  return status === 'trialing' ? (trialEnd ?? periodEnd) : periodEnd;
}

/** What its schedule makes of it when the main item's period ends. */
function nextOf(subscription: StripeSubscription) {
  const main = mainItem(subscription);
  const endsAt = runsUntilOf(subscription, main);
  return endsAt === null ? null : scheduledNext(subscription, { startsAt: startsAtOf(subscription, main), endsAt });
}

/** The product that takes the place of the only one. */
function renewsAs(subscription: StripeSubscription): string | null {
  const [next, [item, ...others]] = [nextOf(subscription), heldItems(subscription)];
  if (next === null || typeof next === 'string' || next.items.length !== 1 || others.length > 0) return null;
  const product = next.items[0]?.price?.product ?? null;
  return product === item?.price.product || !willRenew(subscription) ? null : product;
}

/** Those of which there is a piece. */
function heldItems({ items }: StripeSubscription): readonly StripeItem[] {
  const held = items.data.filter(({ quantity }) => quantity !== 0);
  return held.length > 0 ? held : items.data;
}

/** The item that stands for the subscription: the one that runs longest, the first of equals. */
export function mainItem(subscription: StripeSubscription): StripeItem {
  return heldItems(subscription).reduce((main, item) =>
    (item.current_period_end ?? 0) > (main.current_period_end ?? 0) ? item : main,
  );
}

const byProduct = (a: SubscriptionFact, b: SubscriptionFact): number => (keyOf(a) < keyOf(b) ? -1 : 1);
const keyOf = ({ productId, basePlanId }: SubscriptionFact): string => `${productId} ${basePlanId}`;

/** What paid for the period, and not what was paid for more of it in its middle, unless nothing else was paid. */
function current(transactions: readonly TransactionFact[]): TransactionFact | null {
  const period = newest(transactions.filter(({ phase }) => phase !== 'prorated'));
  return period && period.phase !== 'trial' ? period : newest(transactions);
}

/**
 * Whether nothing paid for the period that began then, and nobody is asked to: its invoice was given up, or is kept as a draft,
 * as while the app collects no payments.
 */
function isPaymentForgone(
  subscription: StripeSubscription,
  item: StripeItem,
  { invoices, transactions }: Pick<Known, 'invoices' | 'transactions'>,
): boolean {
  const began = { product: item.price.product, startedAt: startsAtOf(subscription, item) };
  const ofPeriod = invoices.filter((invoice) => beganPeriod(invoice, subscription, began));
  const isPaid = ofPeriod.some(({ id }) => transactions.some(({ transactionId }) => transactionId === id));
  return !isPaid && ofPeriod.some(isGivenUp);
}

const isGivenUp = ({ status, auto_advance: advances }: StripeInvoice): boolean =>
  status === 'void' || status === 'uncollectible' || (status === 'draft' && advances === false);

/** The paid period that began last. */
const newest = (transactions: readonly TransactionFact[]): TransactionFact | null =>
  transactions.reduce<TransactionFact | null>(
    (last, each) => (!last || each.startsAt > last.startsAt ? each : last),
    null,
  );

type Charged = StripePhase['items'][number];

/** What each item costs next, without taxes that Stripe adds; nothing of any where that of one is not known. */
function renewalPrices(subscription: StripeSubscription): ReadonlyMap<StripeItem, Money> {
  const items = heldItems(subscription);
  const isPriced = !subscription.discounts && isCollected(subscription);
  const charged = isPriced ? chargedNext(subscription, items) : [];
  const prices = new Map(
    items.flatMap((item, index) => {
      const price = charged[index] ? priceOf(charged[index], subscription) : null;
      return price ? [[item, price] as const] : [];
    }),
  );
  return prices.size === items.length ? prices : new Map();
}

/** Whether what falls due next is asked for: not while an app collects nothing, though the subscription runs on. */
function isCollected(subscription: StripeSubscription): boolean {
  const { pause_collection: pause } = subscription;
  return pause == null || (pause.resumes_at ?? Infinity) <= (runsUntilOf(subscription, mainItem(subscription)) ?? 0);
}

/** As what the items are charged next: as they are, or as the next phase has them. What is not known is left out. */
function chargedNext(subscription: StripeSubscription, items: readonly StripeItem[]): readonly (Charged | undefined)[] {
  const next = nextOf(subscription);
  if (next === null || next === 'end')
    return items.map((item) => (isTriedTillItsEnd(subscription, item) ? undefined : item));
  if (next === 'unread' || next.discounts || (next.trial_end ?? 0) > next.start_date) return [];
  if (next.items.length !== items.length) return [];
  if (items.length === 1) return next.items;
  return items.map((item) => next.items.find(({ price }) => price?.product === item.price.product));
}

/** Whether a trial offer sets the price of this period, and no more of the next one's, or nobody knows how long. */
function isTriedTillItsEnd(subscription: StripeSubscription, item: StripeItem): boolean {
  if (item.current_trial == null) return false;
  return (item.current_trial.end_date ?? 0) <= (runsUntilOf(subscription, item) ?? Infinity);
}

/** Nothing where a discount may change it, and of what is not sold by the piece. */
function priceOf({ price, quantity, discounts }: Charged, { currency = price?.currency }: StripeSubscription) {
  if (discounts || price == null || price.transform_quantity != null) return null;
  if (currency == null || quantity == null) return null;
  const unitAmount = price.currency === currency ? price.unit_amount : price.currency_options?.[currency]?.unit_amount;
  const amount = (unitAmount ?? NaN) * quantity;
  return Number.isSafeInteger(amount) ? stripeMoney(amount, currency) : null;
}

const willRenew = (subscription: StripeSubscription): boolean =>
  !notRenewing.includes(subscription.status) && !isToEnd(subscription);

/** Whether an end is set, and it renews no more before. */
function isToEnd(subscription: StripeSubscription): boolean {
  const [at, runsUntil] = [cancelsAt(subscription), runsUntilOf(subscription, mainItem(subscription))];
  const ends = at !== null && (runsUntil === null || at <= runsUntil);
  return ends || subscription.cancel_at_period_end === true || nextOf(subscription) === 'end';
}

/** When it ends whatever was paid for. With a schedule that may be no more than the end of a phase. */
const cancelsAt = ({ schedule, cancel_at: at }: StripeSubscription): number | null =>
  schedule === null || schedule === 'unread' ? (at ?? null) : null;

/** When the payment that is missing fell due: the earliest invoice that was tried and is still open. */
function failedAt(invoices: readonly StripeInvoice[]): number | null {
  const open = invoices.filter(({ status, attempted }) => status === 'open' && attempted === true);
  const times = open.map(({ status_transitions, created }) => status_transitions?.finalized_at ?? created);
  return times.length > 0 ? Math.min(...times) : null;
}

function reasonOf(subscription: StripeSubscription, isRefunded: boolean): CancellationReason | null {
  const { status, cancellation_details: details } = subscription;
  const isEnded = ended.includes(status);
  if (!isEnded && !isToEnd(subscription)) return null;
  if (isEnded && isRefunded) return 'refund';
  const reason = details?.reason ?? 'unknown';
  if (reason === 'payment_failed') return 'billing_error';
  return reason === 'cancellation_requested' || !isEnded ? 'voluntarily_cancelled' : 'unknown';
}
