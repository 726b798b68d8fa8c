import { expect, it } from '@jest/globals';
import { accessLevel, coachingLevel } from '../catalog.ts';
import { boughtAtStripe } from '../bought.ts';
import type { Letter } from '../post-office.ts';
import { eventually } from '../simulator.ts';
import { signedByStripe } from '../stripe-signature.ts';
import type { World } from '../world.ts';

/** D24, D25 and the edges of the clock: the payment processor. */
export function stripeCases(world: () => World): void {
  const shows = (profileId: string, expected: object) =>
    eventually(async () => expect(await world().profile(profileId)).toMatchObject(expected));
  const secret = (): string => world().a.keys.stripe.webhookSecrets[0];
  const seconds = async (): Promise<number> => Math.floor((await world().simulator.now()) / 1_000);
  /** A subscriber, and an event of the subscription that arrived. Nothing more of it is under way. */
  async function subscriber(): Promise<{ profileId: string; letter: Letter }> {
    const profileId = await world().newProfile();
    const letters = await world().post.sentDuring(async () => {
      await boughtAtStripe(world(), profileId);
      await eventually(async () => {
        const timeline = JSON.stringify(await world().timeline(profileId));
        for (const type of ['customer.subscription.created', 'invoice.paid']) expect(timeline).toContain(`"${type}"`);
      });
    });
    await shows(profileId, { state: 'subscribed', totalRevenueUsd: 9.99 });
    return { profileId, letter: letters.find(({ path }) => path.endsWith('/stripe'))! };
  }

  it('D24 takes the bytes that were signed, and no others', async () => {
    const { profileId, letter } = await subscriber();
    const event = JSON.parse(letter.body.toString());
    const before = await world().everything(profileId);
    const changed = Buffer.from(letter.body);
    changed[changed.length - 2]! ^= 1;
    expect(await world().post.deliver({ ...letter, body: changed })).toMatchObject({ status: 400 });
    const reserialised = Buffer.from(JSON.stringify(event, null, 4));
    expect(await world().post.deliver({ ...letter, body: reserialised })).toMatchObject({ status: 400 });
    const pretty = Buffer.from(JSON.stringify({ ...event, id: 'evt_pretty', note: 'Grüße, 世界 🎉' }, null, 2));
    expect((await world().post.deliver(signedByStripe(letter, secret(), await seconds(), pretty))).status).toBeLessThan(
      300,
    );
    expect((await world().post.deliver(letter)).status).toBeLessThan(300);
    expect(await world().ledger(profileId)).toEqual(before.ledger);
  });

  it.each([
    [-290, true],
    [-330, false],
    [290, true],
    [330, false],
  ])('takes a stamp that is %i s off: %p', async (skew, isTaken) => {
    const { letter } = await subscriber();
    const answer = await world().post.deliver(signedByStripe(letter, secret(), (await seconds()) + skew));
    expect(answer.status).toBe(isTaken ? 200 : 400);
  });

  it('refuses a signature that is replayed later, that is missing, or of another secret', async () => {
    const { profileId, letter } = await subscriber();
    const before = await world().everything(profileId);
    const stranger = world().b.keys.stripe.webhookSecrets[0];
    await world().simulator.advance('PT10M');
    const refused = [
      letter,
      { ...letter, headers: { 'content-type': 'application/json' } },
      signedByStripe(letter, stranger, await seconds()),
      signedByStripe(letter, '', await seconds()),
    ];
    for (const each of refused) expect(await world().post.deliver(each)).toMatchObject({ status: 400 });
    const v0 = signedByStripe(letter, secret(), await seconds());
    const onlyV0 = v0.headers['stripe-signature']!.replace('v1=', 'v0=');
    expect(await world().post.deliver({ ...v0, headers: { ...v0.headers, 'stripe-signature': onlyV0 } })).toMatchObject(
      { status: 400 },
    );
    expect(await world().everything(profileId)).toEqual(before);
  });

  it('D25 goes from trial to paid, past due and over', async () => {
    const profileId = await world().newProfile();
    const id = await boughtAtStripe(world(), profileId, { trialDays: 7 });
    await shows(profileId, { state: 'active-trial', paid: false, totalRevenueUsd: 0 });
    await world().simulator.advance('P8D');
    await shows(profileId, { state: 'subscribed', paid: true, totalRevenueUsd: 9.99 });
    expect(await world().labels(profileId)).toContain('trial_converted');
    await world().simulator.act('stripe', id, 'fail-billing', { now: true });
    await shows(profileId, { state: 'grace-period', paid: true, accessLevels: { [accessLevel]: { isActive: true } } });
    await world().simulator.act('stripe', id, 'expire');
    await shows(profileId, {
      ...{ state: 'subscription-cancelled', paid: false, totalRevenueUsd: 9.99 },
      accessLevels: { [accessLevel]: { isActive: false } },
    });
  });

  it('each item of a subscription gives its own access, and what was paid for all is one row', async () => {
    const profileId = await world().newProfile();
    const addOns = [{ productId: 'prod_coach', priceId: 'price_coach', amount: 300 }];
    const id = await boughtAtStripe(world(), profileId, { addOns });
    await shows(profileId, {
      ...{ state: 'subscribed', paid: true, totalRevenueUsd: 12.99 },
      accessLevels: { [accessLevel]: { isActive: true }, [coachingLevel]: { isActive: true } },
      subscriptions: { 'prod_pro.monthly': { willRenew: true }, prod_coach: { willRenew: true } },
    });
    expect(await world().ledger(profileId)).toMatchObject([{ amount: '12.99' }]);
    await world().simulator.act('stripe', id, 'downgrade', { addOns: [] });
    await world().simulator.advance('P32D');
    await eventually(async () => {
      const profile = await world().profile(profileId);
      expect(profile).toMatchObject({ totalRevenueUsd: 22.98, accessLevels: { [accessLevel]: { isActive: true } } });
      expect(profile.accessLevels[coachingLevel]?.isActive ?? false).toBe(false);
    });
  });

  it('books what was refunded once, though Stripe tells the sum', async () => {
    const profileId = await world().newProfile();
    const id = await boughtAtStripe(world(), profileId);
    await shows(profileId, { totalRevenueUsd: 9.99 });
    await world().simulator.act('stripe', id, 'refund', { percent: 30 });
    await shows(profileId, { totalRevenueUsd: 6.99 });
    await world().simulator.act('stripe', id, 'refund');
    await shows(profileId, { totalRevenueUsd: 0 });
    const amounts = (await world().ledger(profileId)).map(({ amount }) => Number(amount));
    expect(amounts.toSorted((one, other) => one - other)).toEqual([-6.99, -3, 9.99]);
  });

  it('a guest’s subscription is given to nobody', async () => {
    const [first, second] = [await world().newProfile(), await world().newProfile()];
    await boughtAtStripe(world(), first, { metadata: {} });
    await boughtAtStripe(world(), first);
    await shows(first, { state: 'subscribed', totalRevenueUsd: 9.99 });
    expect(await world().profile(second)).toMatchObject({ state: 'never-subscribed', totalRevenueUsd: 0 });
  });
}
