import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ValidatePurchase } from '@paywright/contracts';
import { profileIdOf, Sealing } from '@paywright/platform';
import { type Chain, chainIdOf, emptyChain } from '@paywright/purchases';
import {
  playInstant,
  playOrder,
  playProduct,
  playSubscription,
  stripeInvoice,
  stripeSubscription,
} from '@paywright/stores/testing';
import { bought, observed, oneTime } from '../domain/testing/purchases.ts';
import {
  appId,
  askingDatabases,
  askingScene,
  commandsAmong,
  noon,
  profileIdKey,
  repliesAmong,
  requestId,
} from '../testing/asking-scene.ts';
import { Buyers } from './buyers.ts';

const [hour, day] = [3_600_000, 86_400_000];
const [p1, p2] = ['6f2c1c52-1111-4aaa-8bbb-000000000001', '6f2c1c52-1111-4aaa-8bbb-000000000002'];
const period = { productId: 'pro.monthly', orderId: 'GPA.1', startsAt: noon - day, endsAt: noon + 29 * day };
const stripePeriod = { productId: 'prod_1', priceId: 'price_1', startsAt: noon - day, endsAt: noon + 29 * day };
const news = { notificationId: 'n1', notificationType: 'SUBSCRIPTION_RENEWED', subtype: null };
const traceparent = `00-${'a'.repeat(32)}-${'a'.repeat(16)}-01`;
const databases = await askingDatabases();
let scene: Awaited<ReturnType<typeof askingScene>>;

beforeEach(async () => {
  scene = await askingScene(databases);
});
afterEach(() => scene.stop());

const sold = (token: string, changes: Parameters<typeof playSubscription>[1] = {}) => {
  scene.play.subscriptions.set(token, playSubscription(period, changes));
  scene.play.orders.set('GPA.1', playOrder(period, 'EUR 9.99'));
};
const claimOf = (token: string, productId = 'pro.monthly', seal = scene.seal): ValidatePurchase['body'] => ({
  purchase: { store: 'play_store', sealedToken: seal(token), productId, kind: 'subscription' },
  profileId: p1,
  source: null,
  attribution: null,
  clientReported: null,
});
const playNews = (token: string, seal = scene.seal) => ({
  notification: news,
  content: {
    store: 'play_store' as const,
    subject: { sealedToken: seal(token), kind: 'subscription' as const, orderId: null },
  },
});
/** As a gateway seals it whose MASTER_KEY is another. */
const sealElsewhere = (token: string) =>
  new Sealing('another-master-key-of-the-gateway-00', 'purchase-token').seal(token, String(appId));
const chainOf = (token: string) => chainIdOf(appId, 'play_store', token);

describe('a claim', () => {
  it('becomes what the store says, in its place and without a token', async () => {
    sold('t1');
    const messages = await scene.validate(claimOf('t1'));
    expect(commandsAmong(messages)).toMatchObject([
      {
        id: requestId,
        type: 'ObservePurchase',
        key: chainOf('t1'),
        body: {
          observation: { store: 'play_store', transactions: [{ price: { amount: '9.99', currency: 'EUR' } }] },
          claim: { profileId: p1, restorePolicy: 'keep', origin: null },
          rates: [{ currency: 'EUR', day: '2026-11-19' }],
          isReplaced: false,
        },
      },
    ]);
    expect(JSON.stringify(messages.map(({ value }) => value))).not.toContain('t1');
  });

  it.each([2 * hour, 2_000, -1, -2 * hour])(
    'is asked about until nobody waits for it by the broker’s clock, whether or not its deadline was %i ms ago by ours',
    async (late) => {
      sold('t1');
      const deadline = noon - late;
      expect(commandsAmong(await scene.validateBy(deadline, claimOf('t1'), deadline - 6_000))).toMatchObject([
        { type: 'ObservePurchase' },
      ]);
      for (const newest of [deadline, deadline + hour])
        expect(await scene.validateBy(deadline, claimOf('t1'), newest)).toEqual([]);
    },
  );

  it('is about the product that the client names, and tells of all that was bought with it', async () => {
    const coach = { ...period, productId: 'coach', orderId: 'GPA.2' };
    const lineItems = [period, coach].flatMap((of) => playSubscription(of).lineItems ?? []);
    sold('t1', { lineItems });
    scene.play.orders.set('GPA.2', playOrder(coach, 'EUR 3'));
    const [[first], [second]] = [
      commandsAmong(await scene.validate(claimOf('t1'))),
      commandsAmong(await scene.validate(claimOf('t1', 'coach'))),
    ];
    expect(first).toMatchObject({ body: { claim: { transactionId: 'GPA.1' } } });
    expect(second).toMatchObject({
      body: {
        observation: { subscription: { productId: 'pro.monthly' }, addOns: [{ productId: 'coach' }] },
        claim: { transactionId: 'GPA.2' },
      },
    });
  });

  it('came of what was decided before the purchase, however late it is reported', async () => {
    const attribution = { paywallId: 12, placementId: 'onboarding', isExperiment: true, aiPricingModelId: 3, abTestId: null }; // prettier-ignore
    const decisions = [-hour, 2 * 60_000, hour].map((after, index) => {
      return { id: `0190a5b0-0000-7000-8000-00000000000${index}`, time: period.startsAt + after };
    });
    const claim = async () => commandsAmong(await scene.validate({ ...claimOf('t1'), attribution }));
    const cameOf = (decisionId: string | null) => [{ body: { claim: { origin: { paywallId: 12, decisionId } } } }];
    sold('t1');
    expect(await claim()).toMatchObject(cameOf(null));
    for (const { id, time } of decisions) await scene.hasDecision(p1, { id, time, ...attribution });
    // Clocks differ by minutes; what was decided an hour later did not sell it.
    expect(await claim()).toMatchObject(cameOf(decisions[1]?.id ?? ''));
  });

  it('bought at once, came of a decision that is still on its way to the read model', async () => {
    const attribution = { paywallId: 12, placementId: 'onboarding', isExperiment: true, aiPricingModelId: 3, abTestId: null }; // prettier-ignore
    const id = '0190a5b0-0000-7000-8000-000000000000';
    const justNow = { ...period, startsAt: noon };
    scene.play.subscriptions.set('t1', playSubscription(justNow));
    scene.play.orders.set('GPA.1', playOrder(justNow, 'EUR 9.99'));
    const looked = scene.looksForOrigin();
    const claimed = scene.validate({ ...claimOf('t1'), attribution });
    await looked;
    await scene.hasDecision(p1, { id, time: noon, ...attribution });
    expect(commandsAmong(await claimed)).toMatchObject([{ body: { claim: { origin: { decisionId: id } } } }]);
  });

  describe('of which it is settled already what it came of', () => {
    const attribution = { paywallId: 12, placementId: 'onboarding', isExperiment: true, aiPricingModelId: 3, abTestId: null }; // prettier-ignore
    const origin = { ...attribution, decisionId: null, impressionId: null };
    const claim = () => scene.validate({ ...claimOf('t1'), attribution });
    const known: Chain = { ...emptyChain, chainId: chainOf('t1'), store: 'play_store', owner: p1 };
    const most = 8;
    // Of the App Store, for elsewhere who buys again has another chain.
    const ended = bought('GPA.0', { purchasedAt: noon - 400 * day, expiresAt: noon - 370 * day });
    const lapsed = { store: 'app_store', attributedWith: 'GPA.0', transactions: { 'GPA.0': ended } } as const;
    beforeEach(() => {
      const justNow = { ...period, startsAt: noon };
      scene.play.subscriptions.set('t1', playSubscription(justNow));
      scene.play.orders.set('GPA.1', playOrder(justNow, 'EUR 9.99'));
    });

    it.each<[string, Partial<Chain>, number]>([
      ['waits for no decision that may be on its way', { payer: p1, origin }, 1],
      ['waits for none either where another profile paid', { payer: p2 }, 1],
      ['and of which it is not, waits for one', { payer: p1 }, most],
      [
        'and of what another profile’s chain was bought again as, waits for one',
        { payer: p2, origin, ...lapsed },
        most,
      ],
    ])('%s', async (_, more, looks) => {
      await scene.hasChain({ ...known, ...more });
      expect(await scene.originLooksWhile(claim)).toBe(looks);
    });

    it('waits no longer once the same claim has settled it', async () => {
      const looks = scene.originLooksWhile(claim);
      await scene.looksForOrigin();
      await scene.hasChain({ ...known, payer: p1, origin });
      expect(await looks).toBeLessThan(most);
    });
  });

  it('came of what was decided before the purchase, though it was renewed since', async () => {
    const attribution = { paywallId: 12, placementId: 'onboarding', isExperiment: true, aiPricingModelId: 3, abTestId: null }; // prettier-ignore
    const renewal = { ...period, orderId: 'GPA.1..0' };
    const boughtAt = period.startsAt - 30 * day;
    scene.play.subscriptions.set('t1', playSubscription(renewal, { startTime: new Date(boughtAt).toISOString() }));
    scene.play.orders.set(renewal.orderId, playOrder(renewal, 'EUR 9.99'));
    for (const [index, time] of [boughtAt - hour, period.startsAt - hour].entries())
      await scene.hasDecision(p1, { id: `0190a5b0-0000-7000-8000-00000000000${index}`, time, ...attribution });
    expect(commandsAmong(await scene.validate({ ...claimOf('t1'), attribution }))).toMatchObject([
      { body: { claim: { origin: { decisionId: '0190a5b0-0000-7000-8000-000000000000' } } } },
    ]);
  });

  it.each([
    ['a token that Google does not know', 'other', 'pro.monthly', 'TRANSACTION_NOT_FOUND'],
    ['another product', 't1', 'pro.yearly', 'PRODUCT_MISMATCH'],
  ])('of %s is refused with its code, and nothing is kept', async (_, token, productId, code) => {
    sold('t1');
    const messages = await scene.validate(claimOf(token, productId));
    expect(commandsAmong(messages)).toEqual([]);
    expect(repliesAmong(messages)).toMatchObject([{ status: 'refused', refusal: { code } }]);
    expect(await scene.due(noon + 90 * day)).toEqual([]);
  });

  it('that comes to no command is logged at DEBUG, by the id of its request: nobody else tells of it', async () => {
    await scene.validate(claimOf('unknown'));
    await scene.validateBy(noon - 59_000, claimOf('unknown'), noon);
    const lines = scene.logged('debug').filter(({ message }) => message === 'Handled');
    const line = { level: 'debug', requestId, type: 'ValidatePurchase' };
    expect(lines).toEqual([
      expect.objectContaining({ ...line, outcome: 'refused', code: 'TRANSACTION_NOT_FOUND' }),
      expect.objectContaining({ ...line, outcome: 'expired' }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('unknown');
  });

  it('whose token no master key at hand opens is refused at once, to be sent again, and the log says why', async () => {
    sold('t1');
    const messages = await scene.validate(claimOf('t1', 'pro.monthly', sealElsewhere));
    expect(repliesAmong(messages)).toMatchObject([{ status: 'refused', refusal: { code: 'STORE_UNAVAILABLE' } }]);
    expect(scene.logged()).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'A purchase token cannot be opened', requestId }),
    );
  });

  it('that a store leaves unanswered is refused, and nothing is kept', async () => {
    sold('t1');
    scene.play.faults.push({ kind: 'broken', on: /tokens/ });
    const messages = await scene.validate(claimOf('t1'));
    expect(repliesAmong(messages)).toMatchObject([{ status: 'refused', refusal: { code: 'STORE_UNAVAILABLE' } }]);
    expect(await scene.due(noon + 90 * day)).toEqual([]);
  });

  it('acknowledges the purchase at Play where the app wants it, as long as Google waits for that', async () => {
    sold('t1');
    await scene.validate(claimOf('t1'));
    expect(scene.play.acknowledged).toEqual([]);
    scene.acknowledgesPlayPurchases();
    await scene.validate(claimOf('t1'));
    expect(commandsAmong(await scene.validate(claimOf('t1')))).toMatchObject([{ type: 'ObservePurchase' }]);
    expect(scene.play.acknowledged).toEqual(['t1']);
  });

  it.each(['malformed', 'not-found', 'gone'] as const)(
    'is taken in though its acknowledgement is %s to Google: there is none to give',
    async (kind) => {
      sold('t1');
      scene.acknowledgesPlayPurchases();
      scene.play.faults.push({ kind, on: /:acknowledge$/ });
      const messages = await scene.validate(claimOf('t1'));
      expect(commandsAmong(messages)).toMatchObject([{ type: 'ObservePurchase', key: chainOf('t1') }]);
      expect(scene.play.faults).toEqual([]);
    },
  );

  it('is unanswered while Google does not answer its acknowledgement', async () => {
    sold('t1');
    scene.acknowledgesPlayPurchases();
    scene.play.faults.push({ kind: 'broken', on: /:acknowledge$/ });
    const messages = await scene.validate(claimOf('t1'));
    expect(repliesAmong(messages)).toMatchObject([{ status: 'refused', refusal: { code: 'STORE_UNAVAILABLE' } }]);
  });

  it('is unanswered where the credentials cannot be opened: the app may have the right ones', async () => {
    sold('t1');
    scene.book.lock(appId, 'play_store');
    const messages = await scene.validate(claimOf('t1'));
    await scene.book.put(appId, 'play_store', { serviceAccount: scene.play.serviceAccount });
    expect(repliesAmong(messages)).toMatchObject([{ status: 'refused', refusal: { code: 'STORE_UNAVAILABLE' } }]);
  });

  it('at a store without credentials says so', async () => {
    const messages = await scene.validate({
      ...claimOf('t1'),
      purchase: {
        store: 'app_store',
        transactionId: '1',
        originalTransactionId: '1',
        productId: 'pro.monthly',
        environment: null,
      },
    });
    expect(repliesAmong(messages)).toMatchObject([{ refusal: { code: 'STORE_NOT_CONFIGURED' } }]);
  });

  it('of a token that replaced another is of the same chain, and the older one is known as replaced', async () => {
    sold('t1');
    sold('t2', { linkedPurchaseToken: 't1' });
    const [newer] = commandsAmong(await scene.validate(claimOf('t2')));
    const [older] = commandsAmong(await scene.validate(claimOf('t1')));
    expect(newer).toMatchObject({ key: chainOf('t1'), body: { isReplaced: false } });
    expect(older).toMatchObject({ key: chainOf('t1'), body: { isReplaced: true } });
    expect(await scene.due(noon + 90 * day)).toMatchObject([{ subject: { purchaseToken: 't2' } }]);
  });
});

it('takes the word of a new token for newer than what was asked of the one that it replaced, unaware of it', async () => {
  scene.play.subscriptions.set('t1', playSubscription(period));
  scene.play.subscriptions.set('t2', playSubscription({ ...period, orderId: 'GPA.2' }, { linkedPurchaseToken: 't1' }));
  for (const order of ['GPA.1', 'GPA.2'])
    scene.play.orders.set(order, playOrder({ ...period, orderId: order }, 'EUR 1'));
  const ask = (purchaseToken: string) =>
    scene.answerOf({ store: 'play_store', purchaseToken, kind: 'subscription', orderId: null });
  const unaware = await ask('t1');
  const newest = await ask('t2');
  expect(unaware).toMatchObject({ chainId: newest.chainId, isReplaced: false });
  expect(newest.observation.observedAt).toBeGreaterThan(unaware.observation.observedAt);
  expect((await ask('t2')).observation.observedAt).toBe(noon);

  for (const answer of [newest, unaware]) await scene.keep(answer);
  expect(await scene.due(noon + 90 * day)).toMatchObject([{ subject: { purchaseToken: 't2' } }]);
});

it('keeps whose money has no rate, also of a token that was replaced, and asks for the newer one as before', async () => {
  const renewed = { ...period, orderId: 'GPA.2' };
  scene.play.subscriptions.set('t1', playSubscription(period));
  scene.play.subscriptions.set('t2', playSubscription(renewed, { linkedPurchaseToken: 't1' }));
  scene.play.orders.set('GPA.1', playOrder(period, 'XTS 9.99'));
  scene.play.orders.set('GPA.2', playOrder(renewed, 'EUR 9.99'));
  const kept = async (token: string) => (await scene.validateTogether([{ body: claimOf(token), traceparent }])).beside;
  await kept('t2');
  await kept('t1');
  expect(await scene.lookUps.unvalued({ appId: 0, chainId: p1 }, 10)).toEqual([
    { appId, chainId: chainOf('t1'), missing: [{ currency: 'XTS', day: '2026-11-19' }] },
  ]);
  expect(await scene.due(noon + 90 * day)).toMatchObject([{ subject: { purchaseToken: 't2' } }]);
});

it('asks the stores as part of each request’s own trace, and tells nothing of what', async () => {
  sold('t1');
  sold('t2');
  const traceparents = ['a', 'b'].map((digit) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`);
  const claims = traceparents.map((traceparent, index) => ({ body: claimOf(`t${index + 1}`), traceparent }));
  await (
    await scene.validateTogether(claims)
  ).beside;
  expect(scene.tracer.spans.map(({ name, parent }) => ({ name, parent }))).toEqual(
    traceparents.map((parent) => ({ name: 'ask play_store', parent })),
  );
  expect(scene.tracer.spans.map(({ attributes }) => attributes)).toEqual([
    { 'peer.service': 'play_store' },
    { 'peer.service': 'play_store' },
  ]);
});

describe('a notification', () => {
  it('leads to what the store says now', async () => {
    sold('t1');
    expect(commandsAmong(await scene.notify(playNews('t1')))).toMatchObject([
      { type: 'ObservePurchase', body: { notification: news, claim: null } },
    ]);
  });

  it('whose token no master key at hand opens is a dead letter at once, whose reason says what to mend', async () => {
    await expect(scene.notify(playNews('t1', sealElsewhere))).rejects.toThrow('MASTER_KEY_FORMER');
  });

  it('that is told again is another command, as the store may have more to say', async () => {
    sold('t1');
    const tell = async () => commandsAmong(await scene.notify(playNews('t1')))[0]?.id;
    const [first, atOnce] = [await tell(), await tell()];
    expect(atOnce).toBe(first);
    scene.clock.advance(1);
    expect(await tell()).not.toBe(first);
  });

  it('of who bought anew without the app has the purchase acknowledged, and of what nobody has not', async () => {
    scene.acknowledgesPlayPurchases();
    sold('t1');
    await scene.notify(playNews('t1'));
    expect(scene.play.acknowledged).toEqual([]);
    await scene.hasChain({ ...emptyChain, chainId: chainOf('t1'), store: 'play_store', owner: p1, payer: p1 });
    sold('t2', { linkedPurchaseToken: 't1' });
    await scene.notify(playNews('t2'));
    expect(scene.play.acknowledged).toEqual(['t2']);
  });

  it.each(['unknown to the store', 'unanswered'])('that is %s is recorded, and asked for until it is', async (how) => {
    if (how === 'unanswered') scene.play.faults.push({ kind: 'broken', on: /tokens/ });
    const [recorded] = commandsAmong(await scene.notify(playNews('t1')));
    expect(recorded).toMatchObject({ type: 'RecordNotification', key: chainOf('t1'), body: { notification: news } });
    // The notification itself may still be taken in, when it comes again.
    expect(recorded?.id).not.toBe(requestId);

    sold('t1');
    scene.clock.advance(31_000);
    expect(await scene.reconciliation.lookUpDue()).toBe(1);
    expect(commandsAmong(scene.published)).toMatchObject([{ type: 'ObservePurchase', key: chainOf('t1') }]);
    expect(await scene.reconciliation.lookUpDue()).toBe(0);
  });

  it('of an older order is asked for by that order, once the store answers again', async () => {
    const renewed = { ...period, orderId: 'GPA.1..5' };
    scene.play.subscriptions.set('t1', playSubscription(renewed));
    scene.play.orders.set('GPA.1..5', playOrder(renewed, 'EUR 9.99'));
    const voided = { ...period, orderId: 'GPA.1..3' };
    scene.play.orders.set('GPA.1..3', playOrder(voided, 'EUR 9.99', { state: 'REFUNDED' }));
    await scene.notify(playNews('t1'));
    scene.play.faults.push({ kind: 'broken', on: /tokens/ });
    const { notification, content } = playNews('t1');
    await scene.notify({
      notification,
      content: { ...content, subject: { ...content.subject, orderId: 'GPA.1..3' } },
    });
    scene.clock.advance(31_000);
    while ((await scene.reconciliation.lookUpDue()) > 0);
    const told = commandsAmong(scene.published).map(({ body }) => Object(body).observation.transactions);
    expect(told.flat().map(({ transactionId }) => transactionId)).toContain('GPA.1..3');
    expect(await scene.due(noon + 90 * day)).toHaveLength(1);
  });

  it('of an order whose purchase Google keeps no longer is told by that order, and asks for nothing more', async () => {
    sold('t1');
    await scene.validate(claimOf('t1'));
    scene.clock.advance(100 * day);
    scene.play.forgotten.add('t1');
    scene.play.orders.set('GPA.1', playOrder(period, 'EUR 9.99', { state: 'REFUNDED' }));
    const { notification, content } = playNews('t1');
    const subject = { ...content.subject, orderId: 'GPA.1' };
    expect(commandsAmong(await scene.notify({ notification, content: { ...content, subject } }))).toMatchObject([
      { type: 'ObservePurchase', key: chainOf('t1'), body: { observation: { refunds: [{ transactionId: 'GPA.1' }] } } },
    ]);
    expect(await scene.due(scene.clock.now() + 90 * day)).toEqual([]);
  });

  it('of an order that Google does not show of a purchase that it keeps no longer leads to a look at that order', async () => {
    sold('t1');
    await scene.validate(claimOf('t1'));
    scene.clock.advance(100 * day);
    scene.play.forgotten.add('t1');
    scene.play.orders.delete('GPA.1');
    const { notification, content } = playNews('t1');
    await scene.notify({ notification, content: { ...content, subject: { ...content.subject, orderId: 'GPA.1' } } });
    scene.play.orders.set('GPA.1', playOrder(period, 'EUR 9.99', { state: 'REFUNDED' }));
    scene.clock.advance(2 * hour);
    await scene.reconciliation.lookUpDue();
    expect(commandsAmong(scene.published)).toMatchObject([
      { type: 'ObservePurchase', key: chainOf('t1'), body: { observation: { refunds: [{ transactionId: 'GPA.1' }] } } },
    ]);
    expect(await scene.due(scene.clock.now() + 90 * day)).toEqual([]);
  });

  it('of an order of what was bought once is told by that order, where Google knows no more than the next purchase of it', async () => {
    const bought = { productId: 'coins100', orderId: 'GPA.1', startsAt: noon - day, endsAt: noon };
    scene.play.products.set('t1', playProduct('coins100', 'GPA.1', noon - day));
    scene.play.orders.set('GPA.1', playOrder(bought, 'EUR 4', { lineItems: [] }));
    await scene.validate(claimOf('t1', 'coins100'));
    const [transactionId, chainId] = ['GPA.1', chainOf('t1')];
    await scene.hasChain({
      ...emptyChain,
      chainId,
      owner: p1,
      transactions: { [transactionId]: oneTime('GPA.1', 'coins100') },
    });
    scene.play.products.delete('t1');
    const refundEvent = { eventTime: playInstant(noon), refundReason: 'CHARGEBACK' };
    scene.play.orders.set('GPA.1', playOrder(bought, 'EUR 4', { state: 'REFUNDED', orderHistory: { refundEvent } }));
    const { notification, content } = playNews('t1');
    const subject = { ...content.subject, kind: 'one_time' as const, orderId: 'GPA.1', voids: 'all' as const };
    expect(commandsAmong(await scene.notify({ notification, content: { ...content, subject } }))).toMatchObject([
      { type: 'ObservePurchase', key: chainId, body: { observation: { refunds: [{ transactionId }] } } },
    ]);
  });

  it.each(['gives back', 'does not show'])(
    'of an order that Google %s, of a purchase that it keeps no longer and nobody told us of, is recorded alone',
    async (what) => {
      scene.play.forgotten.add('t1');
      if (what === 'gives back') scene.play.orders.set('GPA.1', playOrder(period, 'EUR 9.99', { state: 'REFUNDED' }));
      const { notification, content } = playNews('t1');
      const subject = { ...content.subject, orderId: 'GPA.1' };
      expect(commandsAmong(await scene.notify({ notification, content: { ...content, subject } }))).toMatchObject([
        { type: 'RecordNotification', body: { notification: news } },
      ]);
      expect(await scene.due(noon + 90 * day)).toEqual([]);
    },
  );

  it('that comes late, of an older and longer plan, puts the next look off no further', async () => {
    sold('t1');
    const answer = await scene.answerOf({ store: 'play_store', purchaseToken: 't1', kind: null, orderId: null });
    await scene.keep(answer);
    const toldAt = (observedAt: number) => {
      const subscription = { ...answer.observation.subscription!, expiresAt: period.endsAt + 300 * day };
      return scene.keep({
        ...answer,
        by: 'notified',
        observation: { ...answer.observation, observedAt, subscription },
      });
    };
    await toldAt(noon - hour);
    expect(await scene.due(period.endsAt + hour)).toHaveLength(1);
    await toldAt(noon);
    expect(await scene.due(period.endsAt + hour)).toEqual([]);
  });

  it('of a former period leaves as it is when the chain is asked for again', async () => {
    sold('t1');
    const answer = await scene.answerOf({ store: 'play_store', purchaseToken: 't1', kind: null, orderId: null });
    await scene.keep(answer);
    await scene.keep({ ...answer, by: 'notified', observation: { ...answer.observation, subscription: null } });
    expect(await scene.due(period.endsAt + hour)).toHaveLength(1);
  });

  it('that takes what was bought once without money leads to a look: it may be older than what is known', async () => {
    const told = observed({ revokedTransactions: ['3000'], transactions: [oneTime('3000', 'lifetime')] });
    const observation = { ...told, originalId: '3000', replaces: [], account: null };
    const revoked = { notificationId: 'a1', notificationType: 'REVOKE', subtype: null };
    await scene.notify({ notification: revoked, content: { store: 'app_store', observation } });
    const subject = { store: 'app_store', originalTransactionId: '3000', environment: 'production' };
    expect(await scene.due(noon + hour)).toMatchObject([{ subject }]);
    const kept = { ...observation, originalId: '3001', revokedTransactions: [] };
    await scene.notify({ notification: revoked, content: { store: 'app_store', observation: kept } });
    expect(await scene.due(noon + 90 * day)).toHaveLength(1);
  });

  it('that is recorded in another chain, when it comes again, is another command', async () => {
    const recorded = async () => {
      scene.play.faults.push({ kind: 'broken', on: /tokens/ });
      return commandsAmong(await scene.notify(playNews('t2')))[0];
    };
    const first = await recorded();
    sold('t1');
    sold('t2', { linkedPurchaseToken: 't1' });
    await scene.validate(claimOf('t2'));
    const second = await recorded();
    const again = await recorded();

    expect([first?.key, second?.key]).toEqual([chainOf('t2'), chainOf('t1')]);
    expect(second?.id).not.toBe(first?.id);
    expect(again?.id).toBe(second?.id);
  });

  it('of something that is not paid yet is asked for later', async () => {
    sold('t1', { subscriptionState: 'SUBSCRIPTION_STATE_PENDING' });
    expect(commandsAmong(await scene.notify(playNews('t1')))).toMatchObject([{ type: 'RecordNotification' }]);
    expect(await scene.due(noon + day)).toHaveLength(1);
  });

  it('of Stripe is known to be seen to, whether Stripe answers or not, and only if its history tells of it too', async () => {
    const hear = (notificationId: string, notificationType: string, id: string) =>
      scene.notify({
        notification: { notificationId, notificationType, subtype: null },
        content: { store: 'stripe', subject: { kind: 'subscription', id } },
      });
    scene.stripe.subscriptions.set('sub_1', stripeSubscription('sub_1', 'cus_1', stripePeriod));
    await hear('evt_1', 'customer.subscription.updated', 'sub_1');
    await hear('evt_2', 'customer.subscription.updated', 'sub_unknown');
    await hear('evt_3', 'customer.discount.created', 'sub_1');
    const asked = ['evt_1', 'evt_2', 'evt_3', 'evt_4'];
    expect([...(await scene.heard.among(appId, asked))].sort()).toEqual(['evt_1', 'evt_2']);
    scene.clock.advance(4 * day);
    await scene.heard.forget();
    expect(await scene.heard.among(appId, asked)).toEqual(new Set());
  });

  it('of the App Store is known to be seen to, which has a history too, and of Google none', async () => {
    const sent = (notificationId: string) => ({ notificationId, notificationType: 'TEST', subtype: null });
    await scene.notify({ notification: sent('a1'), content: { store: 'app_store', observation: null } });
    await scene.notify({ notification: sent('g1'), content: { store: 'play_store', subject: null } });
    expect(await scene.heard.among(appId, ['a1', 'g1'])).toEqual(new Set(['a1']));
  });

  it('that says nothing of a purchase is recorded', async () => {
    const body = { notification: news, content: { store: 'play_store' as const, subject: null } };
    expect(commandsAmong(await scene.notify(body))).toMatchObject([{ type: 'RecordNotification', key: 'key' }]);
  });
});

describe('a buyer at Stripe', () => {
  const subscribed = (metadata: Record<string, string>, id = 'sub_1') => {
    scene.stripe.subscriptions.set(id, stripeSubscription(id, 'cus_1', stripePeriod, { metadata }));
    scene.stripe.invoices.set(
      `in_${id}`,
      stripeInvoice(`in_${id}`, id, stripePeriod, { amount: 999, currency: 'usd' }),
    );
  };
  const accountOf = async (id = 'sub_1') => {
    const subject = { kind: 'subscription' as const, id };
    const [command] = commandsAmong(await scene.notify({ notification: news, content: { store: 'stripe', subject } }));
    return command?.type === 'ObservePurchase' ? command.body.accountProfileId : undefined;
  };

  it('is the existing profile that the metadata names', async () => {
    subscribed({ profileId: p1 });
    expect(await accountOf()).toBeNull();
    await scene.hasProfile(p1);
    expect(await accountOf()).toBe(p1);
  });

  it('is the profile of its customer user id', async () => {
    const profileId = profileIdOf(profileIdKey, appId, 'u1');
    await scene.hasProfile(profileId);
    subscribed({ customerUserId: 'u1' });
    expect(await accountOf()).toBe(profileId);
  });

  it('bought what the paywall in the metadata sold, by the newest decision before the purchase', async () => {
    await scene.hasProfile(p1);
    const hour = 3_600_000;
    const decisions = [-2 * hour, -hour, hour].map((after, index) => {
      return { id: `0190a5b0-0000-7000-8000-00000000000${index}`, time: stripePeriod.startsAt + after };
    });
    for (const { id, time } of decisions)
      await scene.hasDecision(p1, { id, time, paywallId: 12, placementId: 'onboarding' });
    const originAt = async (metadata: Record<string, string>) => {
      subscribed(metadata);
      const subject = { kind: 'subscription' as const, id: 'sub_1' };
      const [command] = commandsAmong(
        await scene.notify({ notification: news, content: { store: 'stripe', subject } }),
      );
      return command?.type === 'ObservePurchase' ? command.body.accountOrigin : undefined;
    };
    expect(await originAt({ profileId: p1, paywallId: '12' })).toEqual({
      ...{ paywallId: 12, placementId: null, isExperiment: null, aiPricingModelId: null, abTestId: null },
      ...{ decisionId: decisions[1]?.id, impressionId: null },
    });
    expect(await originAt({ profileId: p1 })).toBeNull();
  });

  it('bought by way of no paywall where the metadata name it by another id than its own, which is said once', async () => {
    await scene.hasProfile(p1);
    scene.logged();
    for (const id of ['sub_1', 'sub_2']) {
      subscribed({ profileId: p1, paywallId: 'calm_v1' }, id);
      expect(await accountOf(id)).toBe(p1);
    }
    expect(scene.logged()).toEqual([
      expect.objectContaining({ level: 'warn', appId, message: expect.stringContaining('paywallId') }),
    ]);
  });

  it('is known by its customer from then on', async () => {
    await scene.hasProfile(p1);
    subscribed({ profileId: p1 });
    await accountOf();
    subscribed({}, 'sub_2');
    expect(await accountOf('sub_2')).toBe(p1);
  });

  const links = async () => (await scene.tables.pool.query('select profile_id from stripe_customer')).rows;

  it('is known by its customer no more once the profile is erased, though nobody asked to forget it', async () => {
    await scene.hasProfile(p1);
    subscribed({ profileId: p1 });
    await accountOf();
    subscribed({}, 'sub_2');
    await scene.erases(p1);
    expect(await accountOf('sub_2')).toBeNull();
    expect(await links()).toEqual([]);
  });

  it('is not linked by what was on its way while the profile was erased', async () => {
    const exists = [true, false];
    const profiles = {
      exists: () => Promise.resolve(exists.shift() ?? false),
      findImpersonal: () => Promise.resolve(null),
    };
    const buyers = new Buyers({ pool: scene.tables.pool, profiles, profileIdKey });
    subscribed({ profileId: p1 });
    const answer = await scene.answerOf({ store: 'stripe', subject: { kind: 'subscription', id: 'sub_1' } });
    expect(await buyers.profileOf(appId, answer)).toBeNull();
    expect(await links()).toEqual([]);
  });
});

describe('a person who is erased', () => {
  const chainOwnedBy = (owner: string, originalId: string) => ({
    ...emptyChain,
    ...{ chainId: chainIdOf(appId, 'app_store', originalId), store: 'app_store' as const, owner, payer: owner },
  });

  it('is forgotten, and all that it owns is released; also when it is asked for again', async () => {
    const [owned, lost] = [chainOwnedBy(p1, '1'), chainOwnedBy(p1, '2')];
    await scene.hasChain(owned);
    await scene.hasChain(lost);
    await scene.readModel.pool.query('update purchase_chain set chain = $2 where chain_id = $1', [
      lost.chainId,
      JSON.stringify({ ...lost, owner: null }),
    ]);
    const link = 'insert into stripe_customer (app_id, customer_id, profile_id) values ($1, $2, $3)';
    for (const [app, customer, profileId] of [
      [appId, 'cus_1', p1],
      [appId, 'cus_2', p1],
      [appId, 'cus_3', requestId],
    ])
      await scene.tables.pool.query(link, [app, customer, profileId]);
    for (let times = 0; times < 2; times++) {
      const messages = await scene.forget(p1, noon);
      expect(commandsAmong(messages)).toMatchObject([
        {
          type: 'ReleasePurchase',
          key: owned.chainId,
          body: { profileId: p1, releasedAt: noon, profileCreatedAt: null },
        },
      ]);
      expect(repliesAmong(messages)).toEqual([{ status: 'accepted', streamVersion: 0, body: {} }]);
    }
    const { rows } = await scene.tables.pool.query('select customer_id from stripe_customer');
    expect(rows).toEqual([{ customer_id: 'cus_3' }]);
  });

  it('and has come back by then, is told of as who is there since', async () => {
    await scene.hasChain(chainOwnedBy(p1, '1'));
    await scene.hasProfile(p1);
    sold('t1');
    const profileCreatedAt = expect.any(Number);
    expect(commandsAmong(await scene.forget(p1, noon))).toMatchObject([{ body: { profileCreatedAt } }]);
    expect(commandsAmong(await scene.validate(claimOf('t1')))).toMatchObject([
      { body: { claim: { profileCreatedAt } } },
    ]);
  });
});
