import { describe, expect, it } from '@jest/globals';
import {
  AutoRenewalObserved,
  MoneyMoved,
  MoneyValued,
  NotificationReceived,
  type ObservedPurchase,
  ObservePurchase,
  PurchaseAttributed,
  PurchaseClaimed,
  PurchaseReplaced,
  PurchaseValidated,
  RefundFailed,
  RefundReversed,
  SubscriptionChanged,
  SubscriptionConfirmed,
  TransactionObserved,
  TransactionRefunded,
  TransactionRevoked,
} from '@paywright/contracts';
import { microsOf, type Movement } from '@paywright/purchases';
import fc from 'fast-check';
import { aLife, type Lifecycle, lifecycle, playLifecycle } from './testing/lifecycle.ts';
import {
  attribution,
  claimBy,
  day,
  lived,
  notified,
  now,
  observe,
  observed,
  p1,
  standing,
} from './testing/purchases.ts';

const days = [0, 1, 29, 31, 45, 61, 91, 121].map((offset) => offset * day);

/** All that anyone can see of a chain: the profile over time, and the sums of each transaction's money. */
function seen(observations: readonly ObservedPurchase[]) {
  const { chain, view } = lived(...observations.map((one) => observe(one, { accountProfileId: p1, rates: everyDay })));
  return { sums: sumsOf(chain.movements), views: days.map((offset) => view(p1, now + offset)), chain };
}

/** What must not depend on the order in which it was told. */
const standingOf = ({ sums, views, chain: { subscription, addOns, renewalUsd } }: ReturnType<typeof seen>) => ({
  sums,
  views,
  subscription,
  addOns,
  renewalUsd,
});

const everyDay = Array.from({ length: 300 }, (_, index) => ({
  day: new Date(Date.UTC(2026, 10, 1) + index * day).toISOString().slice(0, 10),
  currency: 'EUR',
  usdPerUnit: `1.148372${615904 + index}`,
}));

function sumsOf(movements: readonly Movement[]) {
  const sums = new Map<string, { net: bigint; charged: bigint; usd: bigint }>();
  for (const { transactionId, amount, type, usd } of movements) {
    const { net, charged, usd: before } = sums.get(transactionId) ?? { net: 0n, charged: 0n, usd: 0n };
    const moved = microsOf(amount);
    const sum = { net: net + moved, charged: charged + (type === 'charge' ? moved : 0n), usd: before + microsOf(usd!) };
    sums.set(transactionId, sum);
  }
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Any order, some of it twice, and in the lossy case some of it never. */
const arrivals = (isLossy: boolean) =>
  lifecycle.chain((life) => {
    const all = isLossy ? [...life.observations, life.complete] : life.observations;
    const doubled = fc.array(fc.nat(all.length - 1), { maxLength: 4 });
    const lost = fc.uniqueArray(fc.nat(all.length - 2), { maxLength: isLossy ? all.length - 1 : 0 });
    return fc
      .tuple(doubled, lost)
      .map(([again, never]) => [
        ...all.filter((_, index) => !never.includes(index)),
        ...again.map((index) => all[index]!),
      ])
      .chain((given) => fc.shuffledSubarray(given, { minLength: given.length }))
      .map((arrived) => ({ life, all, arrived }));
  });

function permutations<T>(all: readonly T[]): (readonly T[])[] {
  if (all.length === 0) return [[]];
  return all.flatMap((first, index) => permutations(all.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

describe('the observations of one lifecycle', () => {
  it('end in the same, in any order and doubled', () => {
    fc.assert(
      fc.property(arrivals(false), ({ all, arrived }) => {
        const [expected, actual] = [seen(all), seen(arrived)];
        expect(standingOf(actual)).toEqual(standingOf(expected));
      }),
      { numRuns: 150 },
    );
  });

  it('end in the same in each of their orders, the last to come repeated', () => {
    // A trial that converts, a refund and its reversal: six notifications.
    const life = aLife([
      { phase: 'trial', refund: 'none' },
      { phase: 'regular', refund: 'reversed' },
    ]);
    const [expected, orders] = [seen(life.observations), permutations(life.observations)];
    expect(orders).toHaveLength(720);
    for (const order of orders) {
      const { sums, views } = seen([...order, order.at(-1)!]);
      expect({ sums, views }).toEqual({ sums: expected.sums, views: expected.views });
    }
  });

  it('end in the same, whichever of its products clients report', () => {
    const views = (observations: readonly ObservedPurchase[], claimed: (one: ObservedPurchase) => string | null) => {
      const commands = observations.map((one) => observe(one, { claim: claimBy(p1, { transactionId: claimed(one) }) }));
      const { view } = lived(...commands);
      return days.map((offset) => view(p1, now + offset));
    };
    fc.assert(
      fc.property(playLifecycle, fc.infiniteStream(fc.nat(2)), ({ observations }, choices) => {
        const any = ({ transactions }: ObservedPurchase) =>
          transactions[Number(choices.next().value)]?.transactionId ?? null;
        expect(views(observations, any)).toEqual(views(observations, () => null));
      }),
      { numRuns: 100 },
    );
  });

  it('end in the same although some were lost, once all was told', () => {
    fc.assert(
      fc.property(arrivals(true), ({ all, arrived }) => {
        const [expected, { sums, views }] = [seen(all), seen(arrived)];
        expect({ sums, views }).toEqual({ sums: expected.sums, views: expected.views });
      }),
      { numRuns: 150 },
    );
  });

  it('earn what was paid less what went back: each transaction once', () => {
    fc.assert(
      fc.property(arrivals(true), ({ life, arrived }) => {
        const { sums, chain } = seen(arrived);
        expect(netsOf(sums)).toEqual(earned(life));
        for (const { net, usd } of Object.values(sums)) if (net === 0n) expect(usd).toBe(0n);
        const ids = chain.movements.map(({ movementId }) => movementId);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 150 },
    );
  });

  it('tell since when renewal is off, in any order and doubled', () => {
    const words = fc.uniqueArray(fc.record({ at: fc.nat(20), said: fc.constantFrom('on', 'off', 'switched off') }), {
      ...{ selector: ({ at }) => at, minLength: 1, maxLength: 8 },
    });
    const arrived = words.chain((all) => fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length }));
    fc.assert(
      fc.property(arrived, (told) => {
        const entry = lived(...told.map(renewalTold)).view(p1).subscriptions['pro.monthly'];
        expect(entry?.unsubscribedAt).toBe(offSince(told));
      }),
      { numRuns: 500 },
    );
  });

  it('lead to no event, told again', () => {
    fc.assert(
      fc.property(lifecycle, ({ observations }) => {
        const commands = observations.map((one, index) => observe(one, { notification: notified(`n${index}`) }));
        const once = lived(...commands).events;
        expect(lived(...commands, ...commands).events).toEqual(once);
      }),
      { numRuns: 100 },
    );
  });
});

/** What the store said of renewal: that it is on, that it is off, or that the customer has just switched it off. */
interface Word {
  readonly at: number;
  readonly said: string;
}

function renewalTold({ at, said }: Word) {
  const unsubscribedAt = said === 'switched off' ? now + at : null;
  const subscription = standing({ willRenew: said === 'on', unsubscribedAt });
  return observe(observed({ observedAt: now + at, subscription }), { accountProfileId: p1 });
}

/** By all words in the order in which they were said. */
function offSince(words: readonly Word[]): string | null {
  const inOrder = [...words].sort((a, b) => a.at - b.at);
  const sinceOn = inOrder.slice(inOrder.findLastIndex(({ said }) => said === 'on') + 1);
  const off = sinceOn.findLast(({ said }) => said === 'switched off');
  return off ? new Date(now + off.at).toISOString() : null;
}

const bodies = Object.fromEntries(
  [
    PurchaseValidated,
    PurchaseClaimed,
    PurchaseAttributed,
    TransactionObserved,
    TransactionRefunded,
    RefundFailed,
    RefundReversed,
    TransactionRevoked,
    SubscriptionChanged,
    SubscriptionConfirmed,
    AutoRenewalObserved,
    MoneyMoved,
    MoneyValued,
    PurchaseReplaced,
    NotificationReceived,
  ].map(({ type, body }) => [type, body]),
);

it('commands and events keep the form that is published', () => {
  fc.assert(
    fc.property(lifecycle, ({ observations, complete }) => {
      const claim = claimBy(p1, { origin: attribution() });
      const commands = [...observations, complete].map((one) => observe(one, { claim, notification: notified('n1') }));
      for (const { body } of commands) expect(ObservePurchase.body.parse(body)).toEqual(body);
      for (const { type, body } of lived(...commands).events) expect(bodies[type]?.parse(body)).toEqual(body);
    }),
    { numRuns: 50 },
  );
});

const netsOf = (sums: ReturnType<typeof sumsOf>) =>
  Object.fromEntries(Object.entries(sums).flatMap(([id, { net }]) => (net === 0n ? [] : [[id, net]])));
const earned = ({ net }: Lifecycle) => Object.fromEntries(Object.entries(net).filter(([, amount]) => amount !== 0n));
