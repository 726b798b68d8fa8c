import { describe, expect, it } from '@jest/globals';
import {
  type ObservedPurchase,
  type ObservePurchase,
  type PurchaseOrigin,
  PurchaseReleased,
  ReleasePurchase,
} from '@paywright/contracts';
import { commandFor, specification } from '@paywright/event-sourcing/testing';
import { purchaseDecider } from './purchase-decider.ts';
import {
  attribution,
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
  p2,
  refunded,
  standing,
  usd,
} from './testing/purchases.ts';

const { given } = specification(purchaseDecider);
const p3 = '33333333-3333-4333-8333-333333333333';
const paid = observed({ transactions: [bought('2000')], subscription: standing() });
const known = lived(observe(paid, { claim: claimBy(p1) })).events;
const claim = (
  profileId: string,
  more: Parameters<typeof claimBy>[1] = {},
  body: Partial<ObservePurchase['body']> = {},
) => observe(paid, { claim: claimBy(profileId, more), ...body });
const claimOf = (observation: Partial<ObservedPurchase>, transactionId: string | null = '2000') =>
  observe({ ...paid, ...observation }, { claim: claimBy(p1, { transactionId }) });

describe('a claim', () => {
  it('of what nobody owns makes the owner and payer, also by a mere observer', () => {
    for (const source of ['restore', 'purchasing', 'observing', null] as const)
      expect(lived(claim(p1, { source })).chain).toMatchObject({ owner: p1, payer: p1, formerOwners: [] });
  });

  it('repeated by the owner changes nothing', () => {
    given(known).when(claim(p1)).thenNothing().thenReply({ chainId, profileId: p1 });
  });

  it('is recorded once for each transaction that it names', () => {
    const named = ['2000', '1999', '2000'].map((transactionId) => claim(p1, { transactionId }));
    const told = lived(...named).events.filter((event) => event.type === 'PurchaseValidated');
    expect(told.map(({ body }) => body.transactionId)).toEqual(['2000', '1999']);
  });

  it('of another’s purchase transfers it, whole and in one decision', () => {
    const { chain, events } = lived(claim(p1), claim(p2));
    expect(chain).toMatchObject({ owner: p2, payer: p1, formerOwners: [p1] });
    expect(events.at(-1)).toMatchObject({
      type: 'PurchaseClaimed',
      body: { profileId: p2, formerProfileId: p1, payerProfileId: p1, by: 'client' },
    });
    expect(lived(claim(p1), claim(p2), claim(p1)).chain).toMatchObject({ owner: p1, formerOwners: [p2] });
  });

  it('that takes a purchase over leaves its former owner when it had switched renewal off', () => {
    const off = (days: number, told = true) => {
      const unsubscribedAt = told ? now + days * day : null;
      const subscription = standing({ willRenew: false, unsubscribedAt });
      return observed({ observedAt: now + days * day, transactions: [bought('2000')], subscription });
    };
    const asked = observe(off(2, false), { claim: claimBy(p2) });
    const on = observe({ ...paid, observedAt: now + 3 * day });
    const { view } = lived(claim(p1), observe(off(1)), asked, on, observe(off(4)), observe(off(5, false)));
    const since = (profileId: string) => view(profileId).subscriptions['pro.monthly']?.unsubscribedAt;
    expect([since(p1), since(p2)]).toEqual([1, 4].map((days) => new Date(now + days * day).toISOString()));
  });

  it('that takes a purchase over leaves its former owner what there was until then, and no later period', () => {
    const tenth = { ...paid, observedAt: now + 10 * day };
    const renewal = bought('2001', {
      purchasedAt: now + 30 * day,
      startsAt: now + 30 * day,
      expiresAt: now + 60 * day,
    });
    const renewed = observed({
      observedAt: now + 30 * day,
      transactions: [bought('2000'), renewal],
      subscription: standing({ transactionId: '2001', startsAt: now + 30 * day, expiresAt: now + 60 * day }),
    });
    const { chain, view } = lived(claim(p1), observe(tenth, { claim: claimBy(p2) }), observe(renewed));
    const takenOverAt = new Date(chain.takenOver?.[p1]?.at ?? 0).toISOString();
    expect(view(p1, now + 31 * day).subscriptions['pro.monthly']).toMatchObject({
      ...{ isActive: false, willRenew: false, cancellationReason: 'unknown' },
      ...{ startsAt: new Date(now).toISOString(), renewedAt: null, expiresAt: takenOverAt },
    });
    expect(Date.parse(takenOverAt)).toBeGreaterThanOrEqual(now + 10 * day);
    expect(Date.parse(takenOverAt)).toBeLessThan(now + 11 * day);
    expect(view(p2, now + 31 * day).subscriptions['pro.monthly']).toMatchObject({
      ...{ isActive: true, willRenew: true, expiresAt: new Date(now + 60 * day).toISOString() },
    });
  });

  it('by an observer transfers nothing: it is recorded, and the owner stays', () => {
    const { chain, events } = lived(claim(p1), claim(p2, { source: 'observing', restorePolicy: 'keep' }));
    expect(chain.owner).toBe(p1);
    expect(events.at(-1)).toMatchObject({ type: 'PurchaseValidated', body: { profileId: p2, source: 'observing' } });
  });

  it.each([p1, p3])('by an observer transfers nothing either where the store names %s as the buyer', (account) => {
    const observing = claim(p2, { source: 'observing' }, { accountProfileId: account });
    const { chain, events } = lived(claim(p1), observing);
    expect(chain).toMatchObject({ owner: p1, payer: p1, formerOwners: [] });
    expect(events.at(-1)).toMatchObject({ type: 'PurchaseValidated', body: { profileId: p2, source: 'observing' } });
    given(known).when(observing).thenReply({ chainId, profileId: p1 });
    given(known)
      .when(claim(p2, { source: 'purchasing' }, { accountProfileId: account }))
      .thenRefused('ACCOUNT_MISMATCH');
  });

  it.each([{ restorePolicy: 'keep' as const }, { restorePolicy: 'keep' as const, source: 'restore' as const }])(
    'is refused where the app keeps purchases: %j',
    (more) => void given(known).when(claim(p2, more)).thenRefused('PURCHASE_BELONGS_TO_ANOTHER_PROFILE'),
  );

  it('by a token that was replaced is refused from another, and moves no state for the owner', () => {
    given(known)
      .when(claim(p2, {}, { isReplaced: true }))
      .thenRefused('PURCHASE_BELONGS_TO_ANOTHER_PROFILE');
    const stale = { ...paid, observedAt: now + 9, subscription: standing({ status: 'expired' }) };
    given(known)
      .when(observe(stale, { claim: claimBy(p1), isReplaced: true }))
      .thenNothing();
  });

  it('is refused where the store names another profile, unless it restores', () => {
    const named = { accountProfileId: p1 };
    given([])
      .when(claim(p2, {}, named))
      .thenRefused('ACCOUNT_MISMATCH');
    given([])
      .when(claim(p2, { source: 'observing' }, named))
      .thenRefused('ACCOUNT_MISMATCH');
    expect(lived(claim(p2, { source: 'restore' }, named)).chain).toMatchObject({ owner: p2, payer: p1 });
    given([])
      .when(claim(p2, { source: 'restore', restorePolicy: 'keep' }, named))
      .thenRefused('PURCHASE_BELONGS_TO_ANOTHER_PROFILE');
    const { chain, events } = lived(claim(p1, {}, named));
    expect(chain).toMatchObject({ owner: p1, payer: p1 });
    expect(events.find(({ type }) => type === 'PurchaseClaimed')?.body).toMatchObject({ by: 'client' });
    expect(lived(claim(p1, { restorePolicy: 'keep' }, named)).chain).toMatchObject({ owner: p1, payer: p1 });
  });

  it('is not refused of who restored what the store names another’s', () => {
    const named = { accountProfileId: p1 };
    const { events } = lived(claim(p1, {}, named), claim(p2, { source: 'restore' }, named));
    given(events)
      .when(claim(p2, {}, named))
      .thenNothing()
      .thenReply({ chainId, profileId: p2 });
  });

  it('is refused of a purchase that is pending or was taken back', () => {
    given([])
      .when(claimOf({ subscription: standing({ status: 'pending' }) }))
      .thenRefused('PURCHASE_PENDING');
    given([])
      .when(claimOf({ refunds: [refunded('2000', now)] }))
      .thenRefused('TRANSACTION_REVOKED');
    given([])
      .when(claimOf({ refunds: [refunded('2000', now)] }, null))
      .thenRefused('TRANSACTION_REVOKED');
    given([])
      .when(claimOf({ revokedTransactions: ['2000'] }))
      .thenRefused('TRANSACTION_REVOKED');
    expect(lived(claimOf({ refunds: [refunded('1999', now)] })).chain.owner).toBe(p1);
    expect(lived(claimOf({ refunds: [refunded('2000', now)], reversedRefunds: ['2000'] })).chain.owner).toBe(p1);
  });

  it('is judged by the transaction that it names, else by the current, else by the newest', () => {
    const transactions = [bought('1999', { purchasedAt: now - 30 * day }), bought('2000')];
    const refunds = [refunded('1999', now)];
    given([]).when(claimOf({ transactions, refunds }, '1999')).thenRefused('TRANSACTION_REVOKED');
    expect(lived(claimOf({ transactions, refunds }, null)).chain.owner).toBe(p1);
    const once = [oneTime('1', 'coins100', { purchasedAt: now - day }), oneTime('2', 'coins100')];
    for (const listed of [once, [...once].reverse()]) {
      const claimNone = (transactionId: string) =>
        claimOf({ subscription: null, transactions: listed, refunds: [refunded(transactionId, now)] }, null);
      given([]).when(claimNone('2')).thenRefused('TRANSACTION_REVOKED');
      expect(lived(claimNone('1')).chain.owner).toBe(p1);
    }
  });

  it('at Play is refused of a one-time purchase that Google took back, and of none that was refunded and left', () => {
    const refund = refunded('2000', now, { amount: { amount: '9.99', currency: 'USD' } });
    const coins = { store: 'play_store' as const, subscription: null, transactions: [oneTime('2000', 'lifetime')] };
    const { chain, view } = lived(claimOf({ ...coins, refunds: [refund] }));
    expect(chain.owner).toBe(p1);
    expect(view(p1)).toMatchObject({ totalRevenueUsd: 0, accessLevels: { premium: { isActive: true } } });
    for (const taken of [
      { refunds: [refund], revokedTransactions: ['2000'] },
      { refunds: [{ ...refund, reason: 'chargeback' }] },
      { refunds: [{ ...refund, reason: 'canceled' }] },
    ])
      given([])
        .when(claimOf({ ...coins, ...taken }))
        .thenRefused('TRANSACTION_REVOKED');
    expect(lived(claimOf({ store: 'play_store', refunds: [refund] })).chain.owner).toBe(p1);
  });

  it('at Play is not refused of a one-time purchase that cost nothing', () => {
    const transactions = [oneTime('2000', 'lifetime', { price: usd('0') })];
    const { view } = lived(claimOf({ store: 'play_store', subscription: null, transactions }));
    expect(view(p1)).toMatchObject({ accessLevels: { premium: { isActive: true } } });
  });

  it('of the same id in another environment is refused, and such news changes nothing', () => {
    const sandbox = { ...paid, environment: 'sandbox' as const, observedAt: now + 9, transactions: [bought('2001')] };
    given(known)
      .when(observe(sandbox, { claim: claimBy(p1) }))
      .thenRefused('TRANSACTION_NOT_FOUND');
    given(known).when(observe(sandbox)).thenNothing();
  });
});

describe('before any claim', () => {
  it('a chain is nobody’s, and its money waits', () => {
    const { chain, view } = lived(observe(paid, { notification: notified('n1') }));
    expect(chain).toMatchObject({ owner: null, payer: null });
    expect(view(p1)).toMatchObject({ state: 'never-subscribed', accessLevels: {}, totalRevenueUsd: 0 });
    expect(lived(observe(paid), claim(p2)).view(p2)).toMatchObject({ state: 'subscribed', totalRevenueUsd: 9.99 });
  });

  it('a profile that the store’s data names is attached at once, and stays once someone restored it', () => {
    const named = observe(paid, { accountProfileId: p1 });
    expect(lived(named).chain).toMatchObject({ owner: p1, payer: p1 });
    expect(lived(named, claim(p2, { source: 'restore' }), named).chain).toMatchObject({ owner: p2, payer: p1 });
  });
});

describe('attribution', () => {
  const [first, second] = [attribution(), attribution({ paywallId: 99 })];
  const originOf = (...commands: readonly ObservePurchase[]) => lived(...commands).chain.origin;

  it('is the payer’s first, kept exactly as it came', () => {
    expect(originOf(claim(p1, { origin: first }), claim(p1, { origin: second, transactionId: '2001' }))).toEqual(first);
    expect(originOf(claim(p1), claim(p2, { source: 'restore', origin: second }))).toBeNull();
  });

  it('may come later than the claim, and not empty', () => {
    const none = attribution({ paywallId: null, placementId: null, isExperiment: null, aiPricingModelId: null });
    const named = observe(paid, { accountProfileId: p1 });
    expect(originOf(named, claim(p1, { origin: none }), claim(p1, { origin: first, transactionId: '2' }))).toEqual(
      first,
    );
  });

  it('is what the store’s data has of whom it names, from the first row on, unless the payer sends another', () => {
    const named = observe(paid, { accountProfileId: p1, accountOrigin: second });
    const { chain, events } = lived(named, claim(p1, { origin: first }));
    expect(chain.origin).toEqual(second);
    expect(events.find(({ type }) => type === 'MoneyMoved')?.body).toMatchObject({ origin: second });
    expect(originOf({ ...named, body: { ...named.body, claim: claimBy(p1, { origin: first }) } })).toEqual(first);
  });

  it('is not what the store’s data has, where somebody else paid', () => {
    expect(originOf(claim(p2), observe(paid, { accountProfileId: p1, accountOrigin: first }))).toBeNull();
    expect(originOf(observe(paid, { accountOrigin: first }))).toBeNull();
  });

  it('is in the rows that are booked from then on', () => {
    const renewal = observe({ ...paid, observedAt: now + 9, transactions: [bought('2001')] });
    const rows = lived(observe(paid), claim(p1, { origin: first }), renewal).events.filter(
      (event) => event.type === 'MoneyMoved',
    );
    expect(rows.map(({ body }) => [body.payerProfileId, body.origin])).toEqual([
      [null, null],
      [p1, first],
    ]);
  });
});

describe('what is bought again after a lapse', () => {
  it('is attributed by itself, not with what was paid before', () => {
    const again = bought('2009', {
      purchasedAt: now + 400 * day,
      startsAt: now + 400 * day,
      expiresAt: now + 430 * day,
    });
    const history = { ...paid, observedAt: now + 400 * day, transactions: [...paid.transactions, again] };
    const origin = attribution();
    const rows = lived(observe(history), claim(p1, { transactionId: '2009', origin })).events;
    expect(rows.flatMap((event) => (event.type === 'PurchaseAttributed' ? [event.body.transactionId] : []))).toEqual([
      '2009',
    ]);
    const late = lived(observe(history, { claim: claimBy(p1, { transactionId: '2009', origin }) })).events;
    expect(
      late.flatMap((event) => (event.type === 'MoneyMoved' ? [[event.body.transactionId, event.body.origin]] : [])),
    ).toEqual([
      ['2000', null],
      ['2009', origin],
    ]);
  });
});

describe('what is bought again after a lapse, where the first purchase was attributed', () => {
  const again = bought('2009', { purchasedAt: now + 400 * day, startsAt: now + 400 * day, expiresAt: now + 430 * day });
  const renewal = bought('2010', {
    ...{ purchasedAt: now + 430 * day, startsAt: now + 430 * day, expiresAt: now + 460 * day },
    originallyPurchasedAt: now + 400 * day,
  });
  const [first, second] = [attribution(), attribution({ paywallId: 99 })];
  const told = (...transactions: ObservedPurchase['transactions']) => ({
    ...paid,
    observedAt: now + 431 * day,
    transactions,
  });

  it('is attributed once more by the payer, with what it renews to', () => {
    const { events } = lived(
      claim(p1, { origin: first }),
      observe(told(again), { claim: claimBy(p1, { transactionId: '2009', origin: second }) }),
      observe(told(again), { claim: claimBy(p1, { transactionId: '2009', origin: first }) }),
      observe(told(renewal), { claim: claimBy(p1, { transactionId: '2010', origin: first }) }),
    );
    const attributed = events.flatMap((event) => (event.type === 'PurchaseAttributed' ? [event.body] : []));
    expect(attributed.map(({ transactionId, origin }) => [transactionId, origin])).toEqual([
      ['2000', first],
      ['2009', second],
    ]);
    const rows = events.flatMap((event) => (event.type === 'MoneyMoved' ? [event.body] : []));
    expect(rows.map(({ transactionId, origin }) => [transactionId, origin])).toEqual([
      ['2000', first],
      ['2009', second],
      ['2010', second],
    ]);
  });

  it('is attributed once more also where the same answer says that the first purchase was given back', () => {
    const instead = bought('2001', {
      purchasedAt: now + 20 * day,
      startsAt: now + 20 * day,
      expiresAt: now + 50 * day,
    });
    const answer = { ...told(...paid.transactions, instead), refunds: [refunded('2000', now + 9 * day)] };
    const { events } = lived(
      claim(p1, { origin: first }),
      observe(answer, { claim: claimBy(p1, { transactionId: '2001', origin: second }) }),
    );
    const charges = events.flatMap((event) => (event.type === 'MoneyMoved' ? [event.body] : []));
    expect(charges.map(({ transactionId, origin }) => [transactionId, origin])).toEqual([
      ['2000', first],
      ['2000', first],
      ['2001', second],
    ]);
  });

  describe('and another profile reports it', () => {
    const [sold, seen] = [
      { ...second, decisionId: chainId },
      { ...first, decisionId: chainId },
    ];
    const originsAfter = (more: Parameters<typeof claimBy>[1], former: PurchaseOrigin | null = first) => {
      const before = former === null ? claim(p1) : claim(p1, { origin: former });
      const { events } = lived(
        before,
        observe(told(again), { claim: claimBy(p2, { transactionId: '2009', ...more }) }),
      );
      return events.flatMap((event) => (event.type === 'MoneyMoved' ? [event.body] : []));
    };

    it('is the first payer’s money, and of the decision that the new profile had seen', () => {
      for (const [former, source] of [
        [first, null],
        [first, 'purchasing'],
        [null, 'purchasing'],
      ] as const) {
        const rows = originsAfter({ source, origin: sold }, former);
        expect(
          rows.map(({ transactionId, payerProfileId, origin }) => [transactionId, payerProfileId, origin]),
        ).toEqual([
          ['2000', p1, former],
          ['2009', p1, sold],
        ]);
      }
    });

    it.each([
      ['restores it', { source: 'restore' as const, origin: sold }],
      ['observes it', { source: 'observing' as const, origin: sold }],
      ['had seen no decision', { origin: second }],
      ['says nothing of what it came of', {}],
    ])('stays with the first attribution where that one %s', (_, more) =>
      expect(originsAfter(more).map(({ origin }) => origin)).toEqual([first, first]),
    );

    it('is not of what the new profile had seen where that reports a renewal of what was bought before', () => {
      const next = bought('2001', {
        purchasedAt: now + 30 * day,
        startsAt: now + 30 * day,
        originallyPurchasedAt: now,
      });
      const reported = observe(told(next), { claim: claimBy(p2, { transactionId: '2001', origin: seen }) });
      expect(lived(claim(p1), reported).chain.origin).toBeNull();
      expect(lived(claim(p1, { origin: second }), reported).chain.laterOrigins).toBeUndefined();
    });

    it('is of whoever reports it first', () => {
      const reportOf = (profileId: string, origin: PurchaseOrigin) =>
        observe(told(again), { claim: claimBy(profileId, { transactionId: '2009', origin }) });
      const before = claim(p1, { origin: first });
      expect(lived(before, reportOf(p2, sold), reportOf(p1, seen)).chain.laterOrigins).toEqual({ 2009: sold });
      expect(lived(before, reportOf(p1, seen), reportOf(p2, sold)).chain.laterOrigins).toEqual({ 2009: seen });
    });
  });
});

describe('a chain whose owner was erased', () => {
  const erasedAt = now + 1_000;
  const release = (profileId: string, profileCreatedAt: number | null = null) =>
    commandFor(ReleasePurchase, {
      key: chainId,
      issuedAt: erasedAt + 5,
      body: { profileId, releasedAt: erasedAt, profileCreatedAt },
    });
  const later = (command: ObservePurchase): ObservePurchase => ({ ...command, issuedAt: erasedAt + 1 });
  const keeping = { restorePolicy: 'keep' } as const;

  it('is released once, and only from its owner', () => {
    const body = {
      appId: 1,
      chainId,
      profileId: null,
      store: 'app_store',
      formerProfileId: p1,
      releasedAt: erasedAt,
    } as const;
    given(known)
      .when(release(p1))
      .then([PurchaseReleased.of(body)])
      .thenReply({});
    given([...known, PurchaseReleased.of(body)])
      .when(release(p1))
      .thenNothing();
    given(known).when(release(p2)).thenNothing();
    given([]).when(release(p1)).thenNothing();
  });

  describe('and came back before it is released', () => {
    const returnedAt = erasedAt + 1;
    const restored = later(claim(p1, { profileCreatedAt: returnedAt }));

    it('stays theirs if they have restored it since, and is released if they have not', () => {
      const { chain, view } = lived(claim(p1), restored, release(p1, returnedAt));
      expect(chain).toMatchObject({ owner: p1, payer: p1, formerOwners: [] });
      expect(view(p1)).toMatchObject({ paid: true });
      expect(lived(claim(p1), release(p1, returnedAt)).chain.owner).toBeNull();
    });

    it('is restored once: no later claim of theirs is an event, nor any of who was never erased', () => {
      const { events } = lived(claim(p1), restored);
      expect(events.filter(({ type }) => type === 'PurchaseClaimed')).toHaveLength(2);
      given(events).when(restored).thenNothing();
      given(known)
        .when(claim(p1, { profileCreatedAt: now - day }))
        .thenNothing();
    });

    it('stays theirs if they bought it since, and is released if they began to before they were erased', () => {
      expect(lived(restored, release(p1, returnedAt)).chain.owner).toBe(p1);
      expect(lived(claim(p1), release(p1, returnedAt)).chain.owner).toBeNull();
      expect(lived(restored, release(p1)).chain.owner).toBeNull();
    });

    it('stays theirs if it was released, and they have claimed it by the time that the release is asked for again', () => {
      const again = [release(p1), restored, release(p1, returnedAt)];
      expect(lived(claim(p1), ...again).chain.owner).toBe(p1);
    });
  });

  it('gives no access, and keeps payer and money', () => {
    const { chain, view } = lived(claim(p1), release(p1));
    expect(chain).toMatchObject({ owner: null, payer: p1, formerOwners: [] });
    expect(view(p1)).toMatchObject({ paid: false, subscriptions: {} });
  });

  it('becomes the next one’s who claims it, also where the app keeps purchases', () => {
    const { chain, view } = lived(claim(p1), release(p1), later(claim(p2, keeping)));
    expect(chain).toMatchObject({ owner: p2, payer: p1 });
    expect(view(p2)).toMatchObject({ paid: true });
    expect(lived(claim(p1), release(p1), later(claim(p2, keeping)), later(claim(p1, keeping))).chain.owner).toBe(p2);
  });

  it('is given back by no claim and no account of before, and by those that come after', () => {
    const { events } = lived(claim(p1), release(p1));
    given(events).when(claim(p1)).thenRefused('PROFILE_NOT_FOUND');
    given(events)
      .when({ ...claim(p1), issuedAt: erasedAt })
      .thenRefused('PROFILE_NOT_FOUND');
    const news = observe(paid, { accountProfileId: p1 });
    expect(lived(claim(p1), release(p1), news).chain.owner).toBeNull();
    expect(lived(claim(p1), release(p1), later(news)).chain.owner).toBe(p1);
    expect(lived(claim(p1), release(p1), later(claim(p1))).chain.owner).toBe(p1);
  });
});
