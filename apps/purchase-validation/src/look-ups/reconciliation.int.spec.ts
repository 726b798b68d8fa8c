import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chainIdOf } from '@paywright/purchases';
import { playOrder, playSubscription, stripePaymentIntent, stripeSubscription } from '@paywright/stores/testing';
import { appId, askingDatabases, askingScene, type AskingScene, noon, repliesAmong } from '../testing/asking-scene.ts';
import { LookUpPace } from './look-up-pace.ts';

const day = 86_400_000;
const perSecond = 10;
const period = { productId: 'pro.monthly', orderId: 'GPA.1', startsAt: noon - day, endsAt: noon + 29 * day };
const stripePeriod = { productId: 'prod_1', priceId: 'price_1', startsAt: noon - day, endsAt: noon + 29 * day };

const databases = await askingDatabases();
let scene: AskingScene;
/** By which look-ups are counted, in milliseconds. */
let time: number;

beforeEach(async () => {
  time = 0;
  scene = await askingScene(databases, { pace: new LookUpPace(perSecond, () => time) });
});
afterEach(() => scene.stop());

/** So many purchases on Play whose news is overdue. */
async function overdueOnPlay(many: number): Promise<void> {
  scene.play.orders.set('GPA.1', playOrder(period, 'EUR 9.99'));
  for (let index = 0; index < many; index++) {
    const purchaseToken = `t${index}`;
    scene.play.subscriptions.set(purchaseToken, playSubscription(period));
    const subject = { store: 'play_store', purchaseToken, kind: 'subscription', orderId: null } as const;
    const chainId = chainIdOf(appId, 'play_store', purchaseToken);
    await scene.lookUps.lookNow({ appId, chainId, subject }, noon - many + index);
  }
}

async function overdueAtStripe(id: string): Promise<void> {
  scene.stripe.subscriptions.set(id, stripeSubscription(id, 'cus_1', stripePeriod));
  const subject = { store: 'stripe', subject: { kind: 'subscription', id } } as const;
  await scene.lookUps.lookNow({ appId, chainId: chainIdOf(appId, 'stripe', id), subject }, noon);
}

/** Asks on until nothing more may be asked. @returns how many purchases were asked about */
async function lookedUp(): Promise<number> {
  const asked = await scene.reconciliation.lookUpDue();
  return asked === 0 ? 0 : asked + (await lookedUp());
}
const playWasAsked = () => scene.play.calls.filter(({ path }) => path.includes('subscriptionsv2')).length;
const validate = () =>
  scene.validate({
    purchase: { store: 'play_store', sealedToken: scene.seal('t0'), productId: 'pro.monthly', kind: 'subscription' },
    ...{ profileId: '6f2c1c52-1111-4aaa-8bbb-000000000001', source: null, attribution: null, clientReported: null },
  });

describe('a backlog of look-ups', () => {
  it('is worked off no faster than allowed, and holds up no other store', async () => {
    await overdueOnPlay(45);
    await overdueAtStripe('sub_1');
    expect(await lookedUp()).toBe(perSecond + 1);
    expect(playWasAsked()).toBe(perSecond);
    for (const expected of [20, 30, 40, 45]) {
      time += 1_000;
      await lookedUp();
      expect(playWasAsked()).toBe(expected);
    }
    expect(scene.published).toHaveLength(46);
  });

  it('closes a store that does not answer it to nobody else, and rests as long as the store wants', async () => {
    await overdueOnPlay(12);
    for (let i = 0; i < 8; i++) scene.play.faults.push({ kind: 'too-many', on: /subscriptionsv2/ });
    await lookedUp();
    expect(scene.play.faults).toEqual([]);
    expect(repliesAmong(await validate())).toEqual([]);
    const asked = playWasAsked();
    time += 6_999;
    expect(await lookedUp()).toBe(0);
    expect(playWasAsked()).toBe(asked);
    time += 1;
    expect(await lookedUp()).toBe(2);
  });
});

it('leaves nothing behind of what turns out to be no purchase, or one that is kept elsewhere', async () => {
  const paid = { customer: 'cus_2', amount: 999, currency: 'usd', at: noon };
  scene.stripe.paymentIntents.set('pi_1', stripePaymentIntent('pi_1', paid));
  await overdueAtStripe('sub_1');
  for (const subject of [
    { kind: 'payment', id: 'pi_1' },
    { kind: 'charge', id: 'ch_1', paymentIntent: null },
    { kind: 'customer', id: 'cus_1' },
  ] as const) {
    const chainId = chainIdOf(appId, 'stripe', subject.id);
    await scene.lookUps.lookNow({ appId, chainId, subject: { store: 'stripe', subject } }, noon);
  }
  expect(await lookedUp()).toBe(4);
  const { rows } = await scene.tables.pool.query('select chain_id from look_up where awaits is null');
  expect(rows).toEqual([{ chain_id: chainIdOf(appId, 'stripe', 'sub_1') }]);
});

it('looks again where news has come since the store was asked', async () => {
  await overdueAtStripe('sub_1');
  const place = { appId, chainId: chainIdOf(appId, 'stripe', 'sub_1') };
  const subject = { store: 'stripe', subject: { kind: 'subscription', id: 'sub_1' } } as const;
  const [claimed] = await scene.due(noon);
  await scene.lookUps.lookNow({ ...place, subject }, noon + 5_000);
  await scene.keep(await scene.answerOf(subject), claimed);
  expect(await scene.due(noon + 5_000)).toHaveLength(1);
});
