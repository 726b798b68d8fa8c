import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chainIdOf, emptyChain } from '@paywright/purchases';
import { type AnswerFault, playOrder, playProduct, playSubscription } from '@paywright/stores/testing';
import { bought, oneTime, standing } from '../domain/testing/purchases.ts';
import { appId, askingDatabases, type AskingScene, askingScene, commandsAmong, noon } from '../testing/asking-scene.ts';
import { hour, looksUntil } from '../testing/looks-until.ts';

const day = 24 * hour;
const period = { productId: 'pro.monthly', orderId: 'GPA.1', startsAt: noon - day, endsAt: noon + 29 * day };
const databases = await askingDatabases();
let scene: AskingScene;

beforeEach(async () => {
  scene = await askingScene(databases);
});
afterEach(() => scene.stop());

const validated = (token: string) =>
  scene.validate({
    purchase: { store: 'play_store', sealedToken: scene.seal(token), productId: 'pro.monthly', kind: 'subscription' },
    ...{ profileId: '6f2c1c52-1111-4aaa-8bbb-000000000001', source: null, attribution: null, clientReported: null },
  });
const sell = (token: string, changes: Parameters<typeof playSubscription>[1] = {}) =>
  scene.play.subscriptions.set(token, playSubscription(period, changes));
const showOrder = (orderId = 'GPA.1') => scene.play.orders.set(orderId, playOrder({ ...period, orderId }, 'EUR 9.99'));
const giveBack = () => scene.play.orders.set('GPA.1', playOrder(period, 'EUR 9.99', { state: 'REFUNDED' }));
const isVoided = (voids: 'all' | 'part' = 'all') =>
  scene.notify({
    notification: { notificationId: 'n1', notificationType: 'VOIDED_PURCHASE', subtype: null },
    content: {
      store: 'play_store',
      subject: { sealedToken: scene.seal('t1'), kind: 'subscription', orderId: 'GPA.1', voids },
    },
  });

/** Of each look: how many hours after the beginning, and what it told of the first order. */
const pricesUntil = async (hours: number) =>
  (await looksUntil(scene, hours)).map(([at, { transactions }]) => {
    const told = transactions.find(({ transactionId }) => transactionId === 'GPA.1');
    return [at, told?.isEstimate ? 'estimate' : told?.price?.amount];
  });

it('asks again for an order that Google did not show: an hour later, and more and more seldom, until it is read', async () => {
  sell('t1');
  await validated('t1');
  expect(await pricesUntil(7)).toEqual([
    [1, 'estimate'],
    [2, 'estimate'],
    [4, 'estimate'],
  ]);
  showOrder();
  expect(await pricesUntil(24 * 28)).toEqual([[8, '9.99']]);
});

it('is not put off by whoever asks meanwhile', async () => {
  sell('t1');
  await validated('t1');
  scene.clock.advance(hour / 2);
  await validated('t1');
  expect(await pricesUntil(2)).toEqual([[2, 'estimate']]);
});

it('gives up in the end', async () => {
  sell('t1', { lineItems: [{ ...playSubscription(period).lineItems![0], expiryTime: '2027-12-01T00:00:00Z' }] });
  await validated('t1');
  const looks = (await looksUntil(scene, 24 * 150)).map(([at]) => at);
  const days32 = 32 * 24; // behind each last look the subscription itself is asked about
  const ofSubscription = [1024 + days32, 2048 + days32, 2048 + 2 * days32];
  expect(looks.filter((at) => !ofSubscription.includes(at))).toEqual([
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048,
  ]);
  expect(looks).toHaveLength(15);
});

it('asks for it also after the next period was paid', async () => {
  sell('t1');
  await validated('t1');
  scene.play.subscriptions.set('t1', playSubscription({ ...period, orderId: 'GPA.1..0' }));
  showOrder('GPA.1..0');
  showOrder();
  await validated('t1');
  expect(await pricesUntil(48)).toEqual([[1, '9.99']]);
});

it('asks once for what was paid before a renewal: of a refund that leaves the access nobody tells', async () => {
  const chainId = chainIdOf(appId, 'play_store', 't1');
  const transactions = { 'GPA.1': bought('GPA.1') };
  await scene.hasChain({ ...emptyChain, chainId, owner: '6f2c1c52-1111-4aaa-8bbb-000000000001', transactions });
  scene.play.subscriptions.set('t1', playSubscription({ ...period, orderId: 'GPA.1..0' }));
  showOrder('GPA.1..0');
  giveBack();
  await validated('t1');
  const looks = await looksUntil(scene, 24 * 14);
  expect(looks.map(([at, { refunds }]) => [at, ...refunds.map(({ refundId }) => refundId)])).toEqual([
    [1, 'GPA.1:full'],
  ]);
});

it('asks once for what was paid before a change of plan', async () => {
  sell('t1');
  showOrder();
  await validated('t1');
  const chainId = chainIdOf(appId, 'play_store', 't1');
  const known = { transactions: { 'GPA.1': bought('GPA.1') }, subscription: standing({ transactionId: 'GPA.1' }) };
  await scene.hasChain({ ...emptyChain, chainId, owner: '6f2c1c52-1111-4aaa-8bbb-000000000001', ...known });
  scene.play.subscriptions.set('t2', playSubscription({ ...period, orderId: 'GPA.2' }, { linkedPurchaseToken: 't1' }));
  showOrder('GPA.2');
  giveBack();
  await validated('t2');
  const looks = await looksUntil(scene, 24 * 14);
  expect(looks.map(([at, { refunds }]) => [at, ...refunds.map(({ refundId }) => refundId)])).toEqual([
    [1, 'GPA.1:full'],
  ]);
});

it('asks about a long period month by month: of a refund that leaves the access nobody tells', async () => {
  const year = { ...period, endsAt: noon + 364 * day };
  scene.play.subscriptions.set('t1', playSubscription(year));
  scene.play.orders.set('GPA.1', playOrder(year, 'EUR 59.99'));
  await validated('t1');
  scene.play.orders.set('GPA.1', playOrder(year, 'EUR 59.99', { state: 'REFUNDED' }));
  const looks = await looksUntil(scene, 24 * 100);
  expect(looks.map(([at, { refunds }]) => [at / 24, ...refunds.map(({ refundId }) => refundId)])).toEqual([
    [32, 'GPA.1:full'],
    [64, 'GPA.1:full'],
    [96, 'GPA.1:full'],
  ]);
});

it('asks once about what has ended, a month behind its end: its last payment may be given back since', async () => {
  const ended = { ...period, startsAt: noon - 31 * day, endsAt: noon - day };
  scene.play.subscriptions.set('t1', playSubscription(ended, { subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED' }));
  scene.play.orders.set('GPA.1', playOrder(ended, 'EUR 9.99'));
  await validated('t1');
  scene.play.orders.set('GPA.1', playOrder(ended, 'EUR 9.99', { state: 'REFUNDED' }));
  const looks = await looksUntil(scene, 24 * 90);
  expect(looks.map(([at, { refunds }]) => [at / 24, ...refunds.map(({ refundId }) => refundId)])).toEqual([
    [31, 'GPA.1:full'],
  ]);
});

describe('what was bought once', () => {
  const coins = { ...period, productId: 'coins100', startsAt: noon };
  const boughtOnce = async () => {
    scene.play.products.set('t1', playProduct('coins100', 'GPA.1', noon));
    scene.play.orders.set('GPA.1', playOrder(coins, 'EUR 4'));
    await scene.validate({
      purchase: { store: 'play_store', sealedToken: scene.seal('t1'), productId: 'coins100', kind: 'one_time' },
      ...{ profileId: '6f2c1c52-1111-4aaa-8bbb-000000000001', source: null, attribution: null, clientReported: null },
    });
  };

  it('is asked about once, a month behind its purchase: of a refund that leaves the access nobody tells', async () => {
    await boughtOnce();
    scene.play.orders.set('GPA.1', playOrder(coins, 'EUR 4', { state: 'REFUNDED' }));
    const looks = await looksUntil(scene, 24 * 90);
    expect(looks.map(([at, { refunds }]) => [at / 24, ...refunds.map(({ refundId }) => refundId)])).toEqual([
      [32, 'GPA.1:full'],
    ]);
  });

  describe('and that Google does not know then, as what was bought again since', () => {
    const refundsUntil = async (days: number) =>
      (await looksUntil(scene, 24 * days)).map(([at, { refunds }]) => [
        at / 24,
        ...refunds.map(({ refundId }) => refundId),
      ]);
    const show = (changes: object) => scene.play.orders.set('GPA.1', playOrder(coins, 'EUR 4', changes));
    beforeEach(async () => {
      await boughtOnce();
      const transactions = { 'GPA.1': oneTime('GPA.1', 'coins100') };
      const chainId = chainIdOf(appId, 'play_store', 't1');
      await scene.hasChain({ ...emptyChain, chainId, owner: '6f2c1c52-1111-4aaa-8bbb-000000000001', transactions });
      scene.play.products.delete('t1');
    });

    it('is asked about no more where its order gave nothing back', async () => {
      expect(await refundsUntil(33)).toEqual([]);
      expect(await scene.due(noon + 900 * day)).toEqual([]);
    });

    it('is told by its order what went back', async () => {
      show({ state: 'REFUNDED' });
      expect(await refundsUntil(90)).toEqual([[32, 'GPA.1:full']]);
      expect(await scene.due(noon + 900 * day)).toEqual([]);
    });

    it.each([
      ['is on its way back', { state: 'PENDING_REFUND' }],
      ['is not shown for a moment', null],
    ])('is asked about until its order tells, where that %s', async (_, changes) => {
      if (changes) show(changes);
      else scene.play.orders.delete('GPA.1');
      expect((await refundsUntil(32)).flatMap(([, ...refunds]) => refunds)).toEqual([]);
      show({ state: 'REFUNDED' });
      expect(await refundsUntil(90)).toEqual([[32 + 1 / 24, 'GPA.1:full']]);
      expect(await scene.due(noon + 900 * day)).toEqual([]);
    });

    it('is given up in the end where its order is not shown', async () => {
      scene.play.orders.delete('GPA.1');
      expect(await refundsUntil(32 + 90)).toHaveLength(13);
      expect(await scene.due(noon + 900 * day)).toEqual([]);
    });
  });
});

it('asks for it also after a newer token took the place of its own', async () => {
  sell('t1');
  await validated('t1');
  scene.play.subscriptions.set('t2', playSubscription({ ...period, orderId: 'GPA.2' }, { linkedPurchaseToken: 't1' }));
  showOrder('GPA.2');
  await validated('t2');
  expect(await pricesUntil(1)).toEqual([[1, 'estimate']]);
  showOrder();
  expect(await pricesUntil(48)).toEqual([[2, '9.99']]);
  expect(new Set(commandsAmong(scene.published).map(({ key }) => key))).toEqual(
    new Set([chainIdOf(appId, 'play_store', 't1')]),
  );
});

it('asks for the order that a notification names', async () => {
  scene.play.subscriptions.set('t1', playSubscription({ ...period, orderId: 'GPA.1..0' }));
  showOrder('GPA.1..0');
  await isVoided();
  giveBack();
  expect(await pricesUntil(48)).toEqual([[1, '9.99']]);
});

it.each([
  ['does not show it yet', {}],
  ['is about to do it', { state: 'PENDING_REFUND' }],
])('asks for an order that Google said it gave back as long as it %s', async (_, changes) => {
  sell('t1');
  scene.play.orders.set('GPA.1', playOrder(period, 'EUR 9.99', changes));
  await isVoided();
  const refundsUntil = async (hours: number) =>
    (await looksUntil(scene, hours)).map(([at, { refunds }]) => [at, ...refunds.map(({ refundId }) => refundId)]);
  expect(await refundsUntil(3)).toEqual([[1], [2]]);
  giveBack();
  expect(await refundsUntil(24 * 14)).toEqual([[4, 'GPA.1:full']]);
});

it('asks for an order whose money is on its way back, though it was given up before, when Google did not show it', async () => {
  const sold = { productId: 'pro.monthly', orderId: 'GPA.1', startsAt: noon - day, endsAt: noon - day / 2 };
  const ended = { subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED' };
  scene.play.subscriptions.set('t1', playSubscription(sold, ended));
  await scene.notify({
    notification: { notificationId: 'n0', notificationType: 'SUBSCRIPTION_EXPIRED', subtype: null },
    content: { store: 'play_store', subject: { sealedToken: scene.seal('t1'), kind: 'subscription', orderId: null } },
  });
  await looksUntil(scene, 24 * 90);
  scene.play.orders.set('GPA.1', playOrder(sold, 'EUR 9.99', { state: 'PENDING_REFUND' }));
  await scene.notify({
    notification: { notificationId: 'n2', notificationType: 'SUBSCRIPTION_EXPIRED', subtype: null },
    content: { store: 'play_store', subject: { sealedToken: scene.seal('t1'), kind: 'subscription', orderId: null } },
  });
  scene.play.orders.set('GPA.1', playOrder(sold, 'EUR 9.99', { state: 'REFUNDED' }));
  const looks = await looksUntil(scene, 24 * 100);
  expect(looks.map(([at, { refunds }]) => [at, ...refunds.map(({ refundId }) => refundId)])).toEqual([
    [24 * 90 + 1, 'GPA.1:full'],
  ]);
});

it.each<[string, 'all' | 'part', () => void, unknown[]]>([
  ['books what is void whole where Google does not show its order in the end', 'all', () => undefined, ['GPA.1:full']],
  ['not what is void in part', 'part', () => undefined, []],
  ['nor what Google shows, and gave back no more than a part of', 'all', showOrder, []],
])('%s', async (_, voids, show, refunds) => {
  sell('t1', { subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED' });
  show();
  await isVoided(voids);
  const looks = await looksUntil(scene, 24 * 90);
  const told = looks.flatMap(([at, said]) =>
    said.refunds.map(({ refundId, refundedAt }) => ({ at, refundId, refundedAt })),
  );
  expect(told.map(({ refundId }) => refundId)).toEqual(refunds);
  for (const { at, refundedAt } of told) {
    expect(at).toBeGreaterThan(24 * 60);
    expect(refundedAt).toBe(noon);
  }
});

it.each<[string, AnswerFault | null, unknown[]]>([
  ['nothing by that of an order that Google showed before, and does not at the time of the last look', null, []],
  [
    'what is void whole of an order that Google showed before, and may not show any more',
    'unpermitted',
    ['GPA.1:full'],
  ],
])('books %s', async (_, fault, refunds) => {
  sell('t1');
  showOrder();
  await validated('t1');
  const chainId = chainIdOf(appId, 'play_store', 't1');
  const transactions = { 'GPA.1': bought('GPA.1') };
  await scene.hasChain({ ...emptyChain, chainId, owner: '6f2c1c52-1111-4aaa-8bbb-000000000001', transactions });
  scene.play.orders.delete('GPA.1');
  await isVoided();
  if (fault) scene.play.faults.push(...Array.from({ length: 100 }, () => ({ kind: fault, on: /orders/ })));
  const looks = await looksUntil(scene, 24 * 90);
  expect(looks.length).toBeGreaterThan(10);
  expect(looks.flatMap(([, told]) => told.refunds.map(({ refundId }) => refundId))).toEqual(refunds);
});

it('books what is void whole although a part of it was void before', async () => {
  sell('t1', { subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED' });
  await isVoided('part');
  await isVoided('all');
  const looks = await looksUntil(scene, 24 * 90);
  expect(looks.flatMap(([, { refunds }]) => refunds.map(({ refundId }) => refundId))).toEqual(['GPA.1:full']);
});

it('asks for the orders of renewals that passed between two looks, each until it is read', async () => {
  scene.play.subscriptions.set('t1', playSubscription({ ...period, orderId: 'GPA.1..3' }));
  const chainId = chainIdOf(appId, 'play_store', 't1');
  const transactions = { 'GPA.1..0': bought('GPA.1..0') };
  await scene.hasChain({ ...emptyChain, chainId, owner: '6f2c1c52-1111-4aaa-8bbb-000000000001', transactions });
  ['GPA.1..1', 'GPA.1..3'].forEach(showOrder);
  await scene.notify({
    notification: { notificationId: 'n1', notificationType: 'SUBSCRIPTION_RENEWED', subtype: null },
    content: { store: 'play_store', subject: { sealedToken: scene.seal('t1'), kind: 'subscription', orderId: null } },
  });
  const toldUntil = async (hours: number) =>
    (await looksUntil(scene, hours)).map(([at, { transactions: told }]) => [
      ...[at, told.map(({ transactionId, price }) => [transactionId, price?.amount]).slice(1)],
    ]);
  const first = await toldUntil(1);
  expect(first).toHaveLength(2);
  expect(first).toEqual(
    expect.arrayContaining([
      [1, []],
      [1, [['GPA.1..1', '9.99']]],
    ]),
  );
  showOrder('GPA.1..2');
  expect(await toldUntil(24 * 14)).toEqual([[2, [['GPA.1..2', '9.99']]]]);
});

it.each<[string, () => void]>([
  ['a test purchase', () => sell('t1', { testPurchase: {} })],
  ['a trial', () => scene.play.subscriptions.set('t1', playSubscription({ ...period, phase: 'freeTrial' }))],
])('does not ask for the order of %s: it earns nothing', async (_, sold) => {
  sold();
  await validated('t1');
  expect(await pricesUntil(48)).toEqual([]);
});
