import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import { playInstant, playOrder, type PlayPeriod, playSubscription } from '../testing/play-purchases.ts';
import { claim, day, now, period, PlayScene, token } from '../testing/play-scene.ts';

type Subscription = NonNullable<Parameters<typeof playSubscription>[1]>;
type LineItem = NonNullable<Parameters<typeof playSubscription>[2]>;

const coach: PlayPeriod = { ...period, productId: 'coach', orderId: 'GPA.2', endsAt: now + 9 * day };
const lineOf = (of: PlayPeriod, line: LineItem = {}): LineItem => playSubscription(of, {}, line).lineItems![0]!;
const removed = { deferredItemRemoval: {} };
const past = { expiryTime: playInstant(now - 1) };

let scene: PlayScene;
beforeEach(async () => {
  scene = await PlayScene.start();
  scene.google.orders.set('GPA.1', playOrder(period, 'USD 9.99'));
  scene.google.orders.set('GPA.2', playOrder(coach, 'USD 3'));
});
afterEach(() => scene.stop());

const observe = (orderId: string | null = null) =>
  scene.store().observe({ purchaseToken: token, kind: 'subscription', orderId });
const sold = (lineItems: LineItem[], changes: Subscription = {}) =>
  scene.google.subscriptions.set(token, playSubscription(period, { ...changes, lineItems }));
/** `product status` of the subscription, and of its add-ons. */
const standing = async (lineItems: LineItem[], changes: Subscription = {}) => {
  sold(lineItems, changes);
  const seen = await observe();
  expect(Observation.parse(seen)).toEqual(seen);
  return [seen?.subscription, ...(seen?.addOns ?? [])].map((one) => `${one?.productId} ${one?.status}`);
};

describe('a subscription with add-ons', () => {
  it('is the same whichever of its products is asked for, each line with its own end, renewal and order', async () => {
    sold([lineOf(period), lineOf(coach, removed)]);
    const seen = await observe();
    expect(seen).toMatchObject({
      subscription: { productId: 'pro.monthly', transactionId: 'GPA.1', expiresAt: period.endsAt, willRenew: true },
      addOns: [{ productId: 'coach', transactionId: 'GPA.2', expiresAt: coach.endsAt, willRenew: false }],
      transactions: [{ transactionId: 'GPA.1' }, { transactionId: 'GPA.2', productId: 'coach' }],
    });
    expect(seen?.addOns?.[0]?.renewalPrice).toBeUndefined();
    for (const productId of ['pro.monthly', 'coach'])
      expect(await scene.store().validate({ ...claim, productId })).toEqual(seen);
  });

  it('tells of an order by the product that it paid for, also where that is not held any more', async () => {
    const renewed = { ...period, orderId: 'GPA.1..0' };
    scene.google.orders.set('GPA.1..0', playOrder(renewed, 'USD 9.99'));
    sold([lineOf(renewed)]);
    const [, former] = (await observe('GPA.2'))?.transactions ?? [];
    expect(former).toMatchObject({
      ...{ transactionId: 'GPA.2', productId: 'coach', basePlanId: 'monthly', phase: 'regular' },
      ...{ startsAt: coach.startsAt, expiresAt: coach.endsAt, price: { amount: '3', currency: 'USD' } },
    });
    expect(former?.addOns).toBeUndefined();
    scene.google.orders.set('GPA.2', playOrder(coach, 'USD 3', { lineItems: [] }));
    expect((await observe('GPA.2'))?.transactions[1]).toMatchObject({
      transactionId: 'GPA.2',
      productId: 'pro.monthly',
    });
  });

  it('is led by the first line that renews, else by the one that lasts longest', async () => {
    const later = { expiryTime: playInstant(now + 90 * day) };
    const [monthlyFirst, coachFirst] = [
      ['pro.monthly active', 'coach active'],
      ['coach active', 'pro.monthly active'],
    ];
    expect(await standing([lineOf(period), lineOf(coach, later)])).toEqual(monthlyFirst);
    expect(await standing([lineOf(period, removed), lineOf(coach)])).toEqual(coachFirst);
    const canceled = { subscriptionState: 'SUBSCRIPTION_STATE_CANCELED' };
    expect(await standing([lineOf(period), lineOf(coach, later)], canceled)).toEqual(coachFirst);
  });

  it('lists its add-ons by product, however Google does', async () => {
    const video = lineOf({ ...coach, productId: 'video' });
    const expected = ['pro.monthly active', 'coach active', 'video active'];
    expect(await standing([lineOf(period), video, lineOf(coach)])).toEqual(expected);
    expect(await standing([lineOf(period), lineOf(coach), video])).toEqual(expected);
  });

  it.each<[string, LineItem, string, string]>([
    ['has expired once it was removed and its end is past', { ...past, ...removed }, 'ACTIVE', 'expired'],
    ['has expired beside one that runs to its end', past, 'CANCELED', 'expired'],
    ['has expired though another is not paid for', { ...past, ...removed }, 'ON_HOLD', 'expired'],
    ['is told as it was while its renewal is awaited', past, 'ACTIVE', 'active'],
    ['stands still with all others while one is not paid for', {}, 'ON_HOLD', 'billing_retry'],
  ])('an add-on %s', async (_, line, state, status) => {
    const subscriptionState = `SUBSCRIPTION_STATE_${state}`;
    const [, addOn] = await standing([lineOf(period), lineOf(coach, line)], { subscriptionState });
    expect(addOn).toBe(`coach ${status}`);
  });

  it('is in grace where its own renewal was not paid, and else as before', async () => {
    const due = { ...period, endsAt: now - day };
    scene.google.orders.set('GPA.1', playOrder(due, 'USD 9.99'));
    const moved = { expiryTime: playInstant(now + 6 * day) };
    const inGrace = { subscriptionState: 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD' };
    expect(await standing([lineOf(due, moved), lineOf(coach)], inGrace)).toEqual(['pro.monthly grace', 'coach active']);
    expect(await observe()).toMatchObject({
      subscription: { expiresAt: due.endsAt, graceExpiresAt: now + 6 * day, billingIssueAt: due.endsAt },
      addOns: [{ expiresAt: coach.endsAt, graceExpiresAt: null, billingIssueAt: null, willRenew: true }],
    });
    scene.google.orders.delete('GPA.2');
    expect(await standing([lineOf(due, moved), lineOf(coach)], inGrace)).toEqual(['pro.monthly grace', 'coach grace']);
  });

  it('leaves out what is to take another’s place and is not there yet', async () => {
    const replaced = { deferredItemReplacement: { productId: 'pro.yearly' } };
    const next = lineOf({ ...period, productId: 'pro.yearly' }, { latestSuccessfulOrderId: null, expiryTime: null });
    for (const line of [replaced, { ...replaced, ...past, autoRenewingPlan: {} }])
      expect(await standing([lineOf(period, line), next])).toEqual(['pro.monthly active']);
    const pending = { subscriptionState: 'SUBSCRIPTION_STATE_PENDING' };
    expect(await standing([{ ...next, productId: 'coach' }, next], pending)).toEqual([
      'coach pending',
      'pro.yearly pending',
    ]);
  });

  it('tells what else an order paid for', async () => {
    const [own, part] = [period, { ...coach, phase: 'freeTrial' as const }].map(
      (of) => playOrder(of, 'USD 12').lineItems![0]!,
    );
    scene.google.orders.set('GPA.1', playOrder(period, 'USD 12', { lineItems: [own!, part!] }));
    sold([lineOf(period), lineOf({ ...coach, orderId: 'GPA.1' })]);
    expect((await observe())?.transactions).toMatchObject([
      {
        transactionId: 'GPA.1',
        productId: 'pro.monthly',
        price: { amount: '12' },
        addOns: [
          {
            ...{ productId: 'coach', basePlanId: 'monthly', offerId: null, phase: 'trial' },
            ...{ startsAt: coach.startsAt, expiresAt: coach.endsAt },
          },
        ],
      },
    ]);
  });

  it('tells of each that an order sold for nothing that it was free', async () => {
    const lines = [period, coach].map((of) => playOrder(of, 'USD 0').lineItems![0]!);
    scene.google.orders.set('GPA.1', playOrder(period, 'USD 0', { lineItems: lines }));
    sold([lineOf(period), lineOf({ ...coach, orderId: 'GPA.1' })]);
    expect((await observe())?.transactions).toMatchObject([
      { productId: 'pro.monthly', isFree: true, addOns: [{ productId: 'coach', isFree: true }] },
    ]);
  });

  it('knows an earlier order by the product that it names', async () => {
    sold([lineOf(period), lineOf({ ...coach, orderId: 'GPA.2..0' })]);
    const transactions = (await observe('GPA.2'))?.transactions;
    expect(transactions?.find(({ transactionId }) => transactionId === 'GPA.2')).toMatchObject({ productId: 'coach' });
  });
});
