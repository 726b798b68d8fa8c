import type { PurchaseLabel, SubscriptionFact, SubscriptionStatus } from '@paywright/contracts';
import { type Chain, isRefunded, linesOf } from '@paywright/purchases';

/**
 * What the change from the known facts to the next means, in the words of the trade: each word once. Purchases, renewals
 * and refunds are named by their own events.
 * @param next the subscription, and behind it its add-ons
 * @param observedAt when the store said it, in milliseconds
 */
export const subscriptionLabels = (
  chain: Chain,
  next: readonly SubscriptionFact[],
  observedAt: number,
): PurchaseLabel[] => [
  ...new Set(next.flatMap((one, index) => labelsOfLine(lineBefore(chain, next, index), one, observedAt))),
];

/** The line of the same product; before another product took the place of the first one's, that product's. */
function lineBefore(chain: Chain, next: readonly SubscriptionFact[], index: number): Chain {
  const lines = linesOf(chain);
  const isTold = (productId?: string) => next.some((one) => one.productId === productId);
  const same = lines.find(({ subscription }) => subscription?.productId === next[index]?.productId);
  const former = index === 0 && !isTold(chain.subscription?.productId) ? lines[0] : undefined;
  return same ?? former ?? { ...chain, subscription: null };
}

function labelsOfLine(chain: Chain, next: SubscriptionFact, observedAt: number): PurchaseLabel[] {
  const before = chain.subscription;
  const kind = isTrial(chain, next) ? 'trial' : 'subscription';
  return [
    ...statusLabels(chain, before?.status ?? null, next, kind),
    ...(before ? [...renewalLabels(before, next, kind), ...periodLabels(before, next, observedAt)] : []),
  ];
}

type Kind = 'trial' | 'subscription';

function statusLabels(
  chain: Chain,
  before: SubscriptionStatus | null,
  { status, transactionId }: SubscriptionFact,
  kind: Kind,
): PurchaseLabel[] {
  if (before === status) return [];
  const isBegun = transactionId !== null || (before !== null && before !== 'pending');
  const wasFailing = before === 'grace' || before === 'billing_retry';
  switch (status) {
    case 'trial':
    case 'intro':
    case 'active':
      return wasFailing ? ['subscription_recovered'] : before === 'paused' ? ['subscription_resumed'] : [];
    case 'grace':
      return wasFailing ? ['entered_grace_period'] : ['billing_issue_detected', 'entered_grace_period'];
    case 'billing_retry':
      return before === 'grace' ? ['access_ended'] : ['billing_issue_detected'];
    case 'paused':
      return ['subscription_paused'];
    case 'expired':
      return isBegun ? [`${kind}_expired`] : [];
    case 'revoked':
      return transactionId !== null && isRefunded(chain, transactionId) ? [] : ['revoked'];
    default:
      return [];
  }
}

function renewalLabels(before: SubscriptionFact, next: SubscriptionFact, kind: Kind): PurchaseLabel[] {
  if (before.willRenew === next.willRenew || isOver(before) || isOver(next)) return [];
  // At Stripe one that waits for its first payment, or rests, does not renew as long as it does: nobody switched that.
  if (before.status === 'pending' || isPaused(before) !== isPaused(next)) return [];
  return [next.willRenew ? `${kind}_renewal_reactivated` : `${kind}_renewal_cancelled`];
}

function periodLabels(before: SubscriptionFact, next: SubscriptionFact, observedAt: number): PurchaseLabel[] {
  const formerEnd = before.expiresAt ?? Infinity;
  const isSamePeriod =
    (before.transactionId === next.transactionId && before.startsAt === next.startsAt) ||
    isSameTrial(before, next, formerEnd);
  // Past its end Google waits a day for a payment before it says so.
  const isExtended = isSamePeriod && !isOver(next) && (next.expiresAt ?? 0) > formerEnd && observedAt < formerEnd;
  const tookEffect = next.productId === before.renewsAs;
  const isOtherProduct = !tookEffect && (next.productId !== before.productId || next.renewsAs !== before.renewsAs);
  return [
    ...(isExtended ? (['subscription_extended'] as const) : []),
    ...(isOtherProduct && !isOver(next) ? (['product_changed'] as const) : []),
  ];
}

/** A trial that is made longer at Stripe is another invoice, and begins anew within itself. */
const isSameTrial = (before: SubscriptionFact, next: SubscriptionFact, formerEnd: number): boolean =>
  [before, next].every(({ status }) => status === 'trial') &&
  before.productId === next.productId &&
  next.startsAt < formerEnd;

const isTrial = ({ transactions, subscription }: Chain, next: SubscriptionFact): boolean => {
  const current = transactions[next.transactionId ?? ''];
  return current ? current.phase === 'trial' : next.status === 'trial' || subscription?.status === 'trial';
};

const isPaused = ({ status }: SubscriptionFact) => status === 'paused';
const isOver = ({ status }: SubscriptionFact) => status === 'expired' || status === 'revoked';
