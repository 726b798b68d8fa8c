import { describe, expect, it } from '@jest/globals';
import {
  type Observation,
  type PurchaseLabel,
  NotificationReceived,
  type ObservedPurchase,
  type ObservePurchase,
  PurchaseReplaced,
  RecordNotification,
  ReplacePurchase,
  type Store,
  type SubscriptionFact,
  type TransactionFact,
} from '@paywright/contracts';
import { commandFor, specification } from '@paywright/event-sourcing/testing';
import { purchaseDecider } from './purchase-decider.ts';
import {
  bought,
  chainId,
  claimBy,
  day,
  lived,
  notified,
  now,
  observe,
  observed,
  oneTime,
  p1,
  standing,
  trial,
  usd,
} from './testing/purchases.ts';
import { withoutSecrets } from './without-secrets.ts';

const { given } = specification(purchaseDecider);
const paid = observed({ transactions: [bought('2000')], subscription: standing() });
const validated = observe(paid, { claim: claimBy(p1) });
const news = (observedAt: number, subscription: Partial<SubscriptionFact>, more: Parameters<typeof observed>[0] = {}) =>
  observe(observed({ observedAt, subscription: standing(subscription), ...more }));

describe('what the store says of a subscription', () => {
  it('moves nothing if it is older, also after the same was said again', () => {
    const same = observe({ ...paid, observedAt: now + 10 });
    const { chain, events } = lived(validated, same, news(now + 5, { status: 'expired' }));
    expect(chain.subscription).toEqual(standing());
    expect(events.at(-1)).toMatchObject({ type: 'SubscriptionConfirmed', body: { observedAt: now + 10 } });
  });

  it('moves nothing if its status is new to us: what was, stays', () => {
    expect(lived(validated, news(now + 5, { status: 'unknown' })).chain).toMatchObject({
      subscription: standing(),
      observedAt: now,
    });
    expect(lived(news(now, { status: 'unknown' })).chain.subscription).toBeNull();
  });

  it('of two words of one moment lets the later to arrive count', () => {
    expect(lived(validated, news(now, { willRenew: false })).chain.subscription).toMatchObject({ willRenew: false });
  });
});

describe('what the next period costs', () => {
  const priced = (amount: string, currency: string, more: Partial<SubscriptionFact> = {}) => ({
    renewalPrice: { amount, currency },
    ...more,
  });
  const usdOf = (...facts: readonly Partial<SubscriptionFact>[]) =>
    lived(...facts.map((fact, index) => news(now + index, fact))).chain.renewalUsd;

  it.each<[string, Partial<SubscriptionFact>, string | undefined]>([
    ['is valued by the rate of the day that the period began on', priced('9.99', 'EUR'), '11.4885'],
    ['needs no rate in USD', priced('9.99', 'USD'), '9.99'],
    ['has no value without a rate', priced('9.99', 'GBP'), undefined],
    ['has none by the rate of another day', priced('9.99', 'EUR', { startsAt: now - day }), undefined],
    ['is not said', {}, undefined],
  ])('%s', (_, fact, usd) => expect(usdOf(fact)).toBe(usd));

  it('changes alone: a change of the subscription, and of nothing else', () => {
    const { events, labels } = lived(
      validated,
      news(now + 1, priced('9.99', 'EUR')),
      news(now + 2, priced('12.99', 'EUR')),
      news(now + 3, priced('12.99', 'EUR')),
    );
    const told = events.slice(lived(validated).events.length);
    expect(told.map(({ type, body }) => [type, 'renewalUsd' in body ? body.renewalUsd : null])).toEqual([
      ['SubscriptionChanged', '11.4885'],
      ['SubscriptionChanged', '14.9385'],
      ['SubscriptionConfirmed', null],
    ]);
    expect(labels).toEqual(lived(validated).labels);
  });

  it('is forgotten once it does not renew', () => {
    expect(usdOf(priced('9.99', 'USD'), { willRenew: false })).toBeUndefined();
  });
});

describe('what the store takes back without money', () => {
  const revoked = (observedAt: number) => observe(observed({ observedAt, revokedTransactions: ['2000'] }));
  const restored = observe(observed({ observedAt: now + 2, reversedRefunds: ['2000'] }));

  it.each([
    [[revoked(now + 1)], false],
    [[revoked(now + 1), restored], true],
    [[restored, revoked(now + 1)], true],
    [[revoked(now + 1), restored, revoked(now + 3)], false],
    [[revoked(now + 3), restored, revoked(now + 1)], false],
  ])('is gone until that is taken back, by time of its word (%#)', (commands, isActive) =>
    expect(lived(validated, ...commands).view(p1).accessLevels['premium']).toMatchObject({ isActive }),
  );
});

describe('what a family shares again, after it did not for a time', () => {
  const shared = { isFamilyShared: true, price: usd('0') };
  const attached = { accountProfileId: p1 };
  const month = (observedAt: number, transactionId = '2000', more: Partial<ObservedPurchase> = {}) =>
    observe(
      observed({
        observedAt,
        transactions: [bought(transactionId, { ...shared, purchaseId: 'line 1' })],
        subscription: standing({ transactionId }),
        ...more,
      }),
      attached,
    );
  const noMonth = (observedAt: number) =>
    month(observedAt, '2000', {
      subscription: standing({ status: 'revoked', willRenew: false, cancellationReason: 'unknown' }),
      revokedTransactions: ['2000'],
    });
  const lifetime = (observedAt: number, transactionId = '3000', more: Partial<ObservedPurchase> = {}) =>
    observe(
      observed({
        observedAt,
        transactions: [oneTime(transactionId, 'lifetime', { ...shared, purchaseId: '3000' })],
        ...more,
      }),
      attached,
    );
  const noLifetime = (observedAt: number) => lifetime(observedAt, '3000', { revokedTransactions: ['3000'] });

  it.each<[string, ObservePurchase[], boolean]>([
    ['a subscription gives access', [month(now), noMonth(now + 1), month(now + 2)], true],
    ['also where the news comes out of order', [month(now), month(now + 2), noMonth(now + 1)], true],
    ['also under another id', [month(now), noMonth(now + 1), month(now + 2, '2001')], true],
    ['and none once it is shared no more', [month(now), noMonth(now + 1), month(now + 2), noMonth(now + 3)], false],
    ['what is bought once gives access', [lifetime(now), noLifetime(now + 1), lifetime(now + 2)], true],
    ['also under another id', [lifetime(now), noLifetime(now + 1), lifetime(now + 2, '3001')], true],
    ['but not by an older word', [lifetime(now), noLifetime(now + 2), lifetime(now + 1)], false],
    [
      'and none once it is shared no more',
      [lifetime(now), noLifetime(now + 1), lifetime(now + 2), noLifetime(now + 3)],
      false,
    ],
  ])('%s', (_, commands, isActive) => {
    const { chain, view } = lived(...commands);
    expect(view(p1, now + 9)).toMatchObject({ accessLevels: { premium: { isActive } } });
    expect(chain.movements).toEqual([]);
  });
});

describe('labels', () => {
  it('name a period once it is paid in full, and not when a part of it is', () => {
    const told = (hours: number, ...transactions: Parameters<typeof bought>[]) =>
      observe(observed({ observedAt: now + hours, transactions: transactions.map((each) => bought(...each)) }));
    const [first, part, whole] = [told(0, ['1']), told(1, ['2', { buysPeriod: false }]), told(2, ['2'])];
    expect(lived(first, part).labels).toEqual(['subscription_started']);
    for (const words of [
      [first, part, part, whole, part],
      [first, whole, part],
      [part, first, whole],
    ])
      expect(lived(...words).labels).toEqual(['subscription_started', 'subscription_renewed']);
    const tried = observe(observed({ transactions: [trial('0')] }));
    expect(lived(tried, told(1, ['1', { buysPeriod: false }]), told(2, ['1'])).labels).toEqual([
      'trial_started',
      'trial_converted',
    ]);
  });

  const after = (first: Partial<SubscriptionFact>, ...more: readonly Partial<SubscriptionFact>[]) =>
    lived(...[first, ...more].map((fact, index) => news(now + index, fact))).labels;

  it.each<[string, Partial<SubscriptionFact>, Partial<SubscriptionFact>, readonly PurchaseLabel[]]>([
    ['grace', {}, { status: 'grace' }, ['billing_issue_detected', 'entered_grace_period']],
    ['billing retry at once', {}, { status: 'billing_retry' }, ['billing_issue_detected']],
    ['grace after retry', { status: 'billing_retry' }, { status: 'grace' }, ['entered_grace_period']],
    ['recovery', { status: 'billing_retry' }, {}, ['subscription_recovered']],
    ['pause', {}, { status: 'paused' }, ['subscription_paused']],
    ['resumption', { status: 'paused' }, {}, ['subscription_resumed']],
    ['a pause, during which nothing renews', {}, { status: 'paused', willRenew: false }, ['subscription_paused']],
    ['resumption of renewal', { status: 'paused', willRenew: false }, {}, ['subscription_resumed']],
    [
      'cancellation in a pause',
      { status: 'paused' },
      { status: 'paused', willRenew: false },
      ['subscription_renewal_cancelled'],
    ],
    ['a first payment', { status: 'pending', willRenew: false }, {}, []],
    [
      'a first payment that never came',
      { status: 'pending', willRenew: false, transactionId: null },
      { status: 'expired', transactionId: null },
      [],
    ],
    [
      'a first payment that is heard of when its period is over',
      { status: 'pending', willRenew: false, transactionId: null },
      { status: 'expired' },
      ['subscription_expired'],
    ],
    ['a trial’s cancellation', { status: 'trial' }, { status: 'trial', willRenew: false }, ['trial_renewal_cancelled']],
    ['its reactivation', { status: 'trial', willRenew: false }, { status: 'trial' }, ['trial_renewal_reactivated']],
    ['a trial’s end', { status: 'trial' }, { status: 'expired', willRenew: false }, ['trial_expired']],
    ['an end', {}, { status: 'expired', willRenew: false }, ['subscription_expired']],
    ['a revocation', {}, { status: 'revoked', willRenew: false }, ['revoked']],
    ['an extension', {}, { expiresAt: now + 40 * day }, ['subscription_extended']],
    ['a downgrade to come', {}, { renewsAs: 'pro.weekly' }, ['product_changed']],
    ['a downgrade undone', { renewsAs: 'pro.weekly' }, {}, ['product_changed']],
    ['a downgrade in effect', { renewsAs: 'pro.weekly' }, { productId: 'pro.weekly', transactionId: '2001' }, []],
    ['another product', {}, { productId: 'pro.yearly', transactionId: '2001' }, ['product_changed']],
  ])('%s', (_, before, next, labels) => {
    const earlier = after(before).length;
    expect(after(before, next).slice(earlier)).toEqual(labels);
  });

  it('call no extension what comes once the period is over, as the day that Google waits for a payment', () => {
    const extended = { expiresAt: now + 31 * day };
    expect(lived(news(now, {}), news(now + 30 * day - 1, extended)).labels).toEqual(['subscription_extended']);
    expect(lived(news(now, {}), news(now + 30 * day, extended)).labels).toEqual([]);
  });

  it('call a trial that is made longer an extension, also where Stripe makes another period of it', () => {
    const tried = (more: Partial<SubscriptionFact> = {}) => ({ status: 'trial' as const, ...more });
    const longer = tried({ transactionId: '2001', startsAt: now + 10 * day, expiresAt: now + 40 * day });
    const labelsOf = (...facts: Partial<SubscriptionFact>[]) =>
      lived(...facts.map((fact, index) => news(now + index, fact))).labels;
    expect(labelsOf(tried(), longer)).toEqual(['subscription_extended']);
    expect(labelsOf(tried(), { ...longer, expiresAt: now + 20 * day })).toEqual([]);
    expect(labelsOf(tried(), { ...longer, startsAt: now + 31 * day })).toEqual([]);
    expect(labelsOf(tried(), { ...longer, status: 'active' })).toEqual([]);
    expect(labelsOf(tried(), { ...longer, productId: 'pro.yearly' })).toEqual(['product_changed']);
  });

  it('name purchases: each once', () => {
    const renewal = bought('2001', { purchasedAt: now + 30 * day });
    const all = [trial('1999', { purchasedAt: now - 7 * day }), bought('2000'), renewal];
    expect(lived(...all.map((one) => observe(observed({ transactions: [one] })))).labels).toEqual([
      'trial_started',
      'trial_converted',
      'subscription_renewed',
    ]);
    for (const listed of [all, [...all].reverse()])
      expect(lived(observe(observed({ transactions: listed }))).labels).toEqual([
        'trial_started',
        'trial_converted',
        'subscription_renewed',
      ]);
    expect(lived(observe(observed({ transactions: [oneTime('1', 'coins100')] }))).labels).toEqual([
      'non_subscription_purchase',
    ]);
  });

  it('call what follows a trial its conversion, also where something was paid before, as by who is won back', () => {
    const offered = trial('2001', { purchasedAt: now + 100 * day, offer: { kind: 'promotional', type: 'free_trial' } });
    const at = (days: number) => ({ purchasedAt: now + days * day });
    const all = [bought('2000'), offered, bought('2002', at(107)), bought('2003', at(137))];
    for (const commands of [[all], all.map((one) => [one])])
      expect(lived(...commands.map((transactions) => observe(observed({ transactions })))).labels).toEqual([
        ...['subscription_started', 'trial_started', 'trial_converted', 'subscription_renewed'],
      ]);
  });

  it('call a subscription a start beside what was bought once', () => {
    const transactions = [oneTime('1', 'coins100', { purchasedAt: now - day }), bought('2000')];
    expect(lived(observe(observed({ transactions }))).labels).toEqual([
      'non_subscription_purchase',
      'subscription_started',
    ]);
  });

  it('call no renewal a start, though nothing is known of before', () => {
    const renewal = bought('2001', { originallyPurchasedAt: now - 365 * day });
    expect(lived(observe(observed({ transactions: [renewal] }))).labels).toEqual(['subscription_renewed']);
  });

  it('call the first period a start, though it is told of behind a renewal, as where an app validates late', () => {
    const renewal = { purchasedAt: now + 30 * day, startsAt: now + 30 * day, originallyPurchasedAt: now };
    const told = (...transactions: TransactionFact[]) => observe(observed({ transactions }));
    expect(lived(told(bought('2001', renewal)), told(bought('2000'))).labels).toEqual([
      'subscription_renewed',
      'subscription_started',
    ]);
    // One that is told between both is no start.
    const between = { ...renewal, purchasedAt: now + 15 * day, startsAt: now + 15 * day };
    expect(lived(told(bought('2001', renewal)), told(bought('2000', between))).labels).toEqual([
      'subscription_renewed',
      'subscription_renewed',
    ]);
    const wonBack = trial('2001', { purchasedAt: now + 90 * day, startsAt: now + 90 * day });
    expect(lived(told(wonBack), told(bought('2000'))).labels).toEqual(['trial_started', 'subscription_started']);
  });

  it('call a trial that goes on no start: an end that was moved at Stripe is another invoice', () => {
    const extended = trial('2001', { purchasedAt: now + 10 * day, startsAt: now + 10 * day });
    const { labels } = lived(
      observe(observed({ transactions: [trial('2000')] })),
      observe(observed({ observedAt: now + 10 * day, transactions: [extended] })),
      observe(
        observed({ observedAt: now + 24 * day, transactions: [bought('2002', { purchasedAt: now + 24 * day })] }),
      ),
    );
    expect(labels).toEqual(['trial_started', 'trial_converted']);
    const wonBack = trial('2001', { purchasedAt: now + 90 * day, startsAt: now + 90 * day });
    expect(lived(observe(observed({ transactions: [trial('2000'), wonBack] }))).labels).toEqual([
      'trial_started',
      'trial_started',
    ]);
  });

  it('call what is paid for a change of the plan in its period that change', () => {
    const prorated = bought('2001', { phase: 'prorated', productId: 'pro.yearly', purchasedAt: now + day });
    const { labels } = lived(validated, observe(observed({ observedAt: now + day, transactions: [prorated] })));
    expect(labels).toEqual(['subscription_started', 'product_changed']);
  });

  it('call a part of a period a start or a conversion where nothing was paid before, as until a fixed day of the month', () => {
    const stub = bought('2001', { phase: 'prorated', purchasedAt: now + 7 * day });
    const full = bought('2002', { purchasedAt: now + 20 * day });
    const labelsOf = (...transactions: ReturnType<typeof bought>[]) =>
      lived(observe(observed({ transactions }))).labels;
    expect(labelsOf(stub, full)).toEqual(['subscription_started', 'subscription_renewed']);
    expect(labelsOf(trial('2000'), stub, full)).toEqual(['trial_started', 'trial_converted', 'subscription_renewed']);
    const changed = { ...stub, originallyPurchasedAt: now - day };
    expect(labelsOf(changed)).toEqual(['product_changed']);
  });

  it('call an upgrade a start', () => {
    const upgrade = [
      bought('2000', { isUpgraded: true }),
      bought('2001', { productId: 'pro.yearly', purchasedAt: now + day }),
    ];
    const { labels, chain } = lived(validated, observe(observed({ observedAt: now + day, transactions: upgrade })));
    expect(labels).toEqual(['subscription_started', 'subscription_started']);
    expect(chain.transactions['2000']).toMatchObject({ isUpgraded: true });
  });

  it('call another plan in the middle of a period a start or a change, though only that one is told of', () => {
    const labelsAfter = (store: Store, more: Partial<TransactionFact>, before: Partial<TransactionFact> = {}) => {
      const told = { store, originalId: '1000' };
      return lived(
        observe(observed({ ...told, transactions: [bought('2000', before)] })),
        observe(observed({ ...told, observedAt: now + day, transactions: [bought('2001', more)] })),
      ).labels.slice(1);
    };
    const within = { purchasedAt: now + day, startsAt: now + day };
    const yearly = { productId: 'pro.yearly', ...within };
    expect(labelsAfter('app_store', yearly)).toEqual(['subscription_started']);
    expect(labelsAfter('stripe', yearly)).toEqual(['product_changed']);
    expect(labelsAfter('stripe', { basePlanId: 'price_2', ...within })).toEqual(['product_changed']);
    // Of one product a year is paid by the month, or at once.
    const byMonth = { productId: 'pro.yearly', basePlanId: 'MONTHLY' };
    expect(labelsAfter('app_store', yearly, byMonth)).toEqual(['subscription_started']);
    expect(labelsAfter('app_store', { ...yearly, originallyPurchasedAt: now })).toEqual(['subscription_renewed']);
    const atItsEnd = { purchasedAt: now + 30 * day, startsAt: now + 30 * day };
    for (const store of ['app_store', 'stripe'] as const)
      expect(labelsAfter(store, { ...yearly, ...atItsEnd })).toEqual(['subscription_renewed']);
    expect(labelsAfter('stripe', yearly, { phase: 'trial' })).toEqual(['trial_converted']);
  });

  it('call another plan at Play a change where Google says so, whether or not the former one was told of', () => {
    const changed = bought('GPA.2', { isPlanChange: true, originallyPurchasedAt: now - 9 * day });
    const told = (...transactions: TransactionFact[]) => observe(observed({ store: 'play_store', transactions }));
    expect(lived(told(changed)).labels).toEqual(['product_changed']);
    const former = bought('GPA.1', { purchasedAt: now - 9 * day, startsAt: now - 9 * day });
    expect(lived(told(former), told(changed)).labels).toEqual(['subscription_started', 'product_changed']);
  });

  it('call the next period after an upgrade a renewal, and one of another product without an upgrade too', () => {
    const [yearly, later] = [{ productId: 'pro.yearly', purchasedAt: now + day }, { purchasedAt: now + 2 * day }];
    const over = { expiresAt: now };
    const labelsOf = (...transactions: Parameters<typeof bought>[]) =>
      lived(observe(observed({ transactions: transactions.map((each) => bought(...each)) }))).labels.slice(1);
    const upgraded = ['2000', { isUpgraded: true }] as const;
    expect(labelsOf([...upgraded], ['2001', yearly], ['2002', { ...yearly, ...later }])).toEqual([
      'subscription_started',
      'subscription_renewed',
    ]);
    expect(labelsOf([...upgraded], ['2001', later])).toEqual(['subscription_renewed']);
    expect(labelsOf(['2000', over], ['2001', yearly])).toEqual(['subscription_renewed']);
  });
});

describe('a notification', () => {
  it('is recorded once, with or without effect', () => {
    const first = observe(paid, { notification: notified('n1') });
    const second = observe({ ...paid, observedAt: now + 1 }, { notification: notified('n2', 'A_NEW_ONE') });
    const received = lived(first, second, first, second).events.filter(({ type }) => type === 'NotificationReceived');
    expect(received.map(({ body }) => body)).toMatchObject([
      { notificationId: 'n1', hadEffect: true },
      { notificationId: 'n2', notificationType: 'A_NEW_ONE', hadEffect: false },
    ]);
  });

  it('that says nothing is recorded too, also as a chain’s first', () => {
    const body = { store: 'play_store', notification: notified('n1', 'NEW') } as const;
    const command = commandFor(RecordNotification, { key: chainId, body });
    const event = NotificationReceived.of({
      appId: 1,
      chainId,
      profileId: null,
      store: 'play_store',
      ...body.notification,
      hadEffect: false,
    });
    given([]).when(command).then([event]);
    given([event]).when(command).thenNothing();
  });
});

describe('a replaced chain', () => {
  const byChainId = '6f2c1c52-2222-8aaa-8bbb-000000000002';
  const body = { store: 'app_store', byChainId, replacedAt: now + 5 } as const;
  const replace = commandFor(ReplacePurchase, { key: chainId, body });

  it('gives no access any more, whatever the store says of it, before or after', () => {
    for (const commands of [
      [validated, replace],
      [replace, validated],
    ]) {
      const { view, chain } = lived(...commands, observe({ ...paid, observedAt: now + 9 }));
      expect(chain.replacedAt).toBe(now + 5);
      expect(view(p1)).toMatchObject({ paid: false, state: 'subscription-cancelled', totalRevenueUsd: 9.99 });
      expect(view(p1).subscriptions['pro.monthly']).toMatchObject({ isActive: false, cancellationReason: 'upgraded' });
    }
  });

  it('is replaced once, and not by itself', () => {
    given([PurchaseReplaced.of({ appId: 1, chainId, profileId: null, ...body })])
      .when(replace)
      .thenNothing();
    given([])
      .when(commandFor(ReplacePurchase, { key: chainId, body: { ...body, byChainId: chainId } }))
      .thenNothing();
  });
});

describe('the id that people know a chain by', () => {
  const idOf = (...commands: readonly ReturnType<typeof observe>[]) => lived(...commands).chain.originalTransactionId;
  const [first, later] = [bought('GPA.1'), bought('GPA.2..1', { purchasedAt: now + day })];
  const atPlay = (...transactions: (typeof first)[]) => observe(observed({ store: 'play_store', transactions }));

  it('is its store’s own', () => {
    expect(idOf(validated)).toBe('1000');
    expect(idOf(validated, observe(paid, { originalTransactionId: '1001' }))).toBe('1000');
  });

  it('is at Play that of its first order, and stays, whatever is heard of later', () => {
    expect(idOf(atPlay(later, first))).toBe('GPA.1');
    expect(idOf(atPlay(later), atPlay(first))).toBe('GPA.2');
  });
});

describe('what may be written down', () => {
  const observation: Observation = {
    ...observed({ store: 'play_store', transactions: [bought('GPA.1-2..4')] }),
    originalId: 'a-purchase-token',
    replaces: ['another-token'],
    account: 'an-account',
  };

  it('has neither tokens nor accounts, and knows a Play chain by its first order', () => {
    const facts = withoutSecrets(observation);
    expect(JSON.stringify(facts)).not.toMatch(/token|account/);
    expect(lived(observe(facts.observation, facts)).chain.originalTransactionId).toBe('GPA.1-2');
    expect(withoutSecrets({ ...observation, store: 'stripe', originalId: 'sub_1' }).originalTransactionId).toBe(
      'sub_1',
    );
  });
});
