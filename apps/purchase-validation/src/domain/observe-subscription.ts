import {
  type ExchangeRate,
  SubscriptionChanged,
  SubscriptionConfirmed,
  type SubscriptionFact,
} from '@paywright/contracts';
import { decimalOfMicros, microsOf, timesRate } from '@paywright/purchases';
import { isSame } from './is-same.ts';
import { observedIn, type Step } from './purchase-stream.ts';
import { rateOnDay } from './rate-on-day.ts';
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
  if (isSame(subscription, chain.subscription))
    return observedAt > chain.observedAt ? [SubscriptionConfirmed.of(observed)] : [];
  const labels = subscriptionLabels(chain, subscription);
  return [SubscriptionChanged.of({ ...observed, subscription, ...valued(subscription, command.body.rates), labels })];
};

/** By the day that the period began on: so the value hangs on the fact alone, not on which observation told it first. */
function valued(
  { renewalPrice, startsAt }: SubscriptionFact,
  rates: readonly ExchangeRate[],
): Pick<SubscriptionChanged['body'], 'renewalUsd'> {
  if (!renewalPrice) return {};
  const { amount, currency } = renewalPrice;
  const rate = rateOnDay(rates, currency, startsAt);
  return rate === null ? {} : { renewalUsd: decimalOfMicros(timesRate(microsOf(amount), rate)) };
}
