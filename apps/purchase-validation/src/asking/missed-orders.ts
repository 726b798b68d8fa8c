import type { Observation } from '@paywright/contracts';
import { type Chain, subscriptionsOf } from '@paywright/purchases';

/** Of a longer gap the newest come first, and the others with later looks. */
const mostAtOnce = 12;

/** An order as one of its subscription: the first is -1, since renewals are counted from 0. */
interface NumberedOrder {
  readonly first: string;
  readonly number: number;
}

function numbered(orderId: string): NumberedOrder {
  const [, first = orderId, number = '-1'] = /^(.+)\.\.(\d+)$/.exec(orderId) ?? [];
  return { first, number: Number(number) };
}

/** Whether a renewal can have passed unseen: not before the second one, and those of test purchases earn nothing. */
export const canHaveMissed = (observation: Observation): boolean =>
  observation.environment === 'production' && latestOf(observation).some(({ number }) => number > 0);

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

const latestOf = (observation: Observation): readonly NumberedOrder[] =>
  subscriptionsOf(observation).flatMap(({ transactionId }) => (transactionId === null ? [] : numbered(transactionId)));
