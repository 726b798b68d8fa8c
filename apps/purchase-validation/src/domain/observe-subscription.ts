import {
  AutoRenewalObserved,
  type ExchangeRate,
  SubscriptionChanged,
  SubscriptionConfirmed,
  type SubscriptionFact,
} from '@paywright/contracts';
import {
  type Chain,
  decimalOfMicros,
  isNewsOfRenewal,
  microsOf,
  nextCharged,
  subscriptionsOf,
  timesRate,
} from '@paywright/purchases';
import { isSame } from './is-same.ts';
import { observedIn, type Step } from './purchase-stream.ts';
import { rateOnDay } from './rate-on-day.ts';
import { subscriptionLabels } from './subscription-labels.ts';

/**
 * How the subscription stands with its add-ons, if the store's word is not older than the newest known: a late one must
 * not revive what was refunded or ran out, and tells of renewal alone. A status that is new to us, and a token that a
 * newer one has replaced, say nothing.
 */
export const observeSubscription: Step = (command, { chain }) => {
  const { observation, isReplaced } = command.body;
  const { subscription, observedAt } = observation;
  if (!subscription || subscription.status === 'unknown' || isReplaced) return [];
  const observed = { ...observedIn(command, chain), observedAt };
  if (observedAt < chain.observedAt) return lateRenewal(chain, { ...observed, ...renewalOf(subscription) });
  const told = subscriptionsOf(observation);
  if (isSame(told, subscriptionsOf(chain)))
    return observedAt > chain.observedAt ? [SubscriptionConfirmed.of(observed)] : [];
  const addOns = told.slice(1);
  return [
    SubscriptionChanged.of({
      ...observed,
      subscription,
      ...(addOns.length > 0 && { addOns }),
      ...valued(nextCharged(observation), command.body.rates),
      labels: subscriptionLabels(chain, told, observedAt),
    }),
  ];
};

/** What an older word still tells of renewal: when the App Store switched it off, it says no second time. */
const lateRenewal = (chain: Chain, word: AutoRenewalObserved['body']): readonly AutoRenewalObserved[] =>
  word.store === 'app_store' && isNewsOfRenewal(chain, word) ? [AutoRenewalObserved.of(word)] : [];

const renewalOf = ({ willRenew, unsubscribedAt }: SubscriptionFact) => ({ willRenew, unsubscribedAt });

/** By the days that the periods began on: so the value hangs on the facts alone, not on which observation told them first. */
function valued(
  charged: readonly SubscriptionFact[],
  rates: readonly ExchangeRate[],
): Pick<SubscriptionChanged['body'], 'renewalUsd'> {
  const prices = charged.flatMap(({ renewalPrice, startsAt }) => (renewalPrice ? { ...renewalPrice, startsAt } : []));
  const micros = prices.map(({ amount, currency, startsAt }) => {
    const rate = rateOnDay(rates, currency, startsAt);
    return rate === null ? null : timesRate(microsOf(amount), rate);
  });
  if (micros.length === 0 || !micros.every((usd) => usd !== null)) return {};
  return { renewalUsd: decimalOfMicros(micros.reduce((sum, usd) => sum + usd, 0n)) };
}
