import { closed, periodFrom, tell } from './life-cycle.ts';
import { lastPeriod, type Happening, type Purchase, type Terms } from './purchase.ts';

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
