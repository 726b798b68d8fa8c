import type { Observation } from '@paywright/contracts';
import { type Chain, costsSomething, subscriptionsOf, type SubscriptionWithAddOns } from '@paywright/purchases';

/** Of a longer gap the newest come first, and the others with later looks. */
const mostAtOnce = 12;

/** An order as one of its subscription: the first is -1, since renewals are counted from 0. */
interface NumberedOrder {
  readonly first: string;
  readonly number: number;
}

const idOf = ({ first, number }: NumberedOrder): string => (number < 0 ? first : `${first}..${number}`);

function numbered(orderId: string): NumberedOrder {
  const [, first = orderId, number = '-1'] = /^(.+)\.\.(\d+)$/.exec(orderId) ?? [];
  return { first, number: Number(number) };
}

/** Whether something was paid before the latest order, of a product or a former plan. What test purchases pay earns nothing. */
export const wasPaidBefore = (observation: Observation): boolean =>
  observation.environment === 'production' &&
  (observation.replaces.length > 0 || latestOf(observation).some(({ number }) => number >= 0));

/**
 * Orders behind which a renewal has come that is new to us. Of what is given back without taking the access Google tells
 * nobody: that order alone shows it, and it is not the latest any more.
 * @see https://developers.google.com/android-publisher/voided-purchases
 */
export function renewedOrders(observation: Observation, { transactions }: Chain): readonly string[] {
  const fresh = latestOf(observation).filter((order) => transactions[idOf(order)] === undefined);
  const former = fresh.map(({ first, number }) => idOf({ first, number: number - 1 }));
  return [...new Set(former)].filter(isPaid(transactions));
}

/** The same of the orders of another plan, whose token a new one took the place of. */
export function replacedOrders(observation: Observation, chain: Chain): readonly string[] {
  const { transactions } = chain;
  const latest = latestOf(observation);
  const isNewPlan = latest.some((order) => order.number < 0 && transactions[idOf(order)] === undefined);
  if (observation.replaces.length === 0 || !isNewPlan) return [];
  const isLatest = (orderId: string) => latest.some((order) => idOf(order) === orderId);
  const former = latestOf(chain).map(idOf);
  return [...new Set(former)].filter((orderId) => !isLatest(orderId)).filter(isPaid(transactions));
}

const isPaid = (transactions: Chain['transactions']) => (orderId: string) =>
  costsSomething(transactions[orderId] ?? { price: null });

/**
 * Orders of renewals that passed between two looks: of each product Google tells the latest alone. What came before the
 * first that is known was never reported to us, and is not asked for.
 */
export function missedOrders(observation: Observation, chain: Chain): readonly string[] {
  const known = [chain, observation].flatMap(({ transactions, refunds }) =>
    [...Object.values(transactions), ...Object.values(refunds)].map(({ transactionId }) => transactionId),
  );
  const missed = latestOf(observation).flatMap(({ first, number: latest }) => {
    const numbers = known.map(numbered).flatMap((order) => (order.first === first ? order.number : []));
    const between = Math.max(latest - Math.min(latest, ...numbers) - 1, 0);
    return Array.from({ length: between }, (_, index) => `${first}..${latest - 1 - index}`);
  });
  return [...new Set(missed)].filter((orderId) => !known.includes(orderId)).slice(0, mostAtOnce);
}

/** What each product was last paid by. */
const latestOf = (held: SubscriptionWithAddOns): readonly NumberedOrder[] =>
  subscriptionsOf(held).flatMap(({ transactionId }) => (transactionId === null ? [] : numbered(transactionId)));
