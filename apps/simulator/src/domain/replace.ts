import { closed, periodFrom, tell } from './life-cycle.ts';
import { lastPeriod, type CarriedOrder, type Happening, type Purchase, type Terms } from './purchase.ts';

/**
 * A dearer plan at Play is a purchase of its own, which takes the place of the former one.
 * @returns what became of the former purchase, of which the store tells nothing, and the new one
 */
export function replace(
  former: Purchase,
  terms: Partial<Terms>,
  newToken: string,
  at: number,
): readonly [Happening, Happening] {
  const endsAt = Math.min(lastPeriod(former).endsAt ?? at, at);
  const [first, ...rest] = former.periods.with(-1, { ...lastPeriod(former), endsAt, isUpgraded: true });
  const replaced: Purchase = { ...closed(former, at, 'replaced'), replacedBy: newToken };
  const bought = periodFrom({ ...former, willRenew: true, cancelledAt: null, offer: null }, at, {
    ...former.terms,
    ...terms,
  });
  const successor: Purchase = {
    ...bought,
    ...{ id: newToken, replaces: former.id, isAcknowledged: false, newsCount: 0 },
    periods: [{ ...lastPeriod(bought), number: 0 }],
  };
  return [
    { purchase: first ? { ...replaced, periods: [first, ...rest] } : replaced, news: null },
    tell(successor, 'bought', at),
  ];
}

/**
 * A cheaper plan at Play that is to take the place of the present one at its renewal is a purchase of its own, too, from now
 * on: it goes on with the period that the former one was paid for.
 * @returns as `replace`
 */
export function replaceLater(
  former: Purchase,
  terms: Partial<Terms>,
  newToken: string,
  at: number,
): readonly [Happening, Happening] {
  const running = lastPeriod(former);
  const successor: Purchase = {
    ...former,
    ...{ id: newToken, replaces: former.id, isAcknowledged: false, newsCount: 0 },
    nextTerms: { ...(former.nextTerms ?? former.terms), ...terms },
    periods: [{ ...running, number: 0, carried: { ...orderOf(former, running.number), since: at } }],
  };
  const replaced: Purchase = { ...closed(former, at, 'replaced'), replacedBy: newToken };
  return [{ purchase: replaced, news: null }, tell(successor, 'bought', at)];
}

/** The order that paid for a period, by the token under which it did. */
function orderOf({ id: token, periods: [{ carried }] }: Purchase, number: number): Omit<CarriedOrder, 'since'> {
  if (carried === undefined) return { token, number };
  return number === 0 ? carried : { token, number: number - 1 };
}
