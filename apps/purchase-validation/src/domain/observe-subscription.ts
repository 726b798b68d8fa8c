import { SubscriptionChanged, SubscriptionConfirmed } from '@paywright/contracts';
import { isSame } from './is-same.ts';
import { observedIn, type Step } from './purchase-stream.ts';
import { subscriptionLabels } from './subscription-labels.ts';

/**
 * How the subscription stands, if the store's word is not older than the newest known: a late one must not revive
 * what was refunded or ran out. A status that is new to us, and a token that a newer one has replaced, say nothing.
 */
export const observeSubscription: Step = (command, { chain }) => {
  const { observation, isReplaced } = command.body;
  const { subscription, observedAt } = observation;
  if (!subscription || subscription.status === 'unknown' || isReplaced) return [];
  if (observedAt < chain.observedAt) return [];
  const observed = { ...observedIn(command, chain), observedAt };
  if (!isSame(subscription, chain.subscription))
    return [SubscriptionChanged.of({ ...observed, subscription, labels: subscriptionLabels(chain, subscription) })];
  return observedAt > chain.observedAt ? [SubscriptionConfirmed.of(observed)] : [];
};
