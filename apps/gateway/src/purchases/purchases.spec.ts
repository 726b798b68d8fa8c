import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServePaywall, ValidatePurchase } from '@paywright/contracts';
import { Sealing } from '@paywright/platform';
import { chainIdOf } from '@paywright/purchases';
import { phases, PurchaseClient, refusalIn, subscriptionOffer } from '../testing/purchase-client.ts';
import { startTestGateway, v1, type TestGateway } from '../testing/test-gateway.ts';

const day = 86_400_000;
const attribution = { paywallId: 12, placementId: 'onboarding', isExperiment: true, aiPricingModelId: 3 };

let gateway: TestGateway;
let client: PurchaseClient;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  client = await PurchaseClient.startedOver(gateway);
});
afterAll(() => gateway.app.close());

const profileOf = async (customerUserId: string): Promise<string> =>
  (await gateway.request('POST', `${v1}/profiles`, { customerUserId })).json().data.profileId;
const opened = (sealed: string, appId = 1) =>
  new Sealing(gateway.parts.config.MASTER_KEY, 'purchase-token').open(sealed, String(appId));

describe('a purchase in the App Store', () => {
  it('is asked for as the client reports it, and answered with the profile that has it', async () => {
    const reported = { environment: 'sandbox', source: 'restore', isSubscription: true, price: 9.99, currency: 'USD' };
    const response = await client.appStore({ ...attribution, ...reported });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      ok: true,
      data: {
        ...{ profileId: client.profileId, customerUserId: 'u', paid: true, state: 'subscribed', totalRevenueUsd: 9.99 },
        subscriptions: { 'premium.monthly': { isActive: true, willRenew: true, store: 'app_store' } },
        accessLevels: { premium: { isActive: true, sourceProductId: 'premium.monthly' } },
        nonSubscriptions: {},
      },
    });
    expect(client.asked).toMatchObject([{ appId: 1, key: chainIdOf(1, 'app_store', '1000'), deadlineMs: 8_000 }]);
    expect(client.command).toEqual({
      purchase: {
        ...{ store: 'app_store', transactionId: '2000', originalTransactionId: '1000' },
        ...{ productId: 'premium.monthly', environment: 'sandbox', isSubscription: true },
      },
      profileId: client.profileId,
      source: 'restore',
      attribution: { ...attribution, abTestId: null },
      clientReported: { price: '9.99', currency: 'USD', hasTrialPhase: null },
    });
  });

  it.each(['none', '../2000', '1'.repeat(255)])(
    'is asked for by any text that a client calls its id: %j',
    async (id) => {
      await client.appStore({ transactionId: id, originalTransactionId: id });
      expect(client.command.purchase).toMatchObject({ transactionId: id, originalTransactionId: id });
    },
  );

  it('needs no more than its ids: null and empty optional fields are as absent', async () => {
    const absent = Object.fromEntries([...Object.keys(attribution), 'source', 'price'].map((name) => [name, null]));
    const empty = { environment: '', currency: '' };
    expect((await client.appStore({ ...absent, ...empty, isSubscription: null })).statusCode).toBe(200);
    expect(client.command).toMatchObject({ source: null, attribution: null, clientReported: null });
    expect(client.command.purchase).toMatchObject({ environment: null });
  });

  it.each([
    ['the isExperiment of Baseline', { isExperiment: false }],
    ['a null model', { paywallId: 12, aiPricingModelId: null }],
    ['ids that name nothing', { paywallId: -7, placementId: 'gone' }],
  ])('has %s as received', async (_, sent) => {
    await client.appStore(sent);
    const unsent = { paywallId: null, placementId: null, isExperiment: null, aiPricingModelId: null, abTestId: null };
    expect(client.command.attribution).toEqual({ ...unsent, ...sent });
  });

  it('is answered with what the profile has by then, also what it was given while the store was asked', async () => {
    const { backend } = gateway;
    backend.on(ValidatePurchase, async (sent) => {
      const custom = { key: 'goal', value: 'sleep' };
      await gateway.request('POST', `${v1}/profiles/custom-attributes`, { profileId: client.profileId, custom });
      return backend.sell(sent);
    });
    expect((await client.appStore()).json().data.custom).toMatchObject([{ key: 'goal', value: 'sleep' }]);
  });

  it('is the profile’s of that customer user id, where no profileId is given', async () => {
    expect((await client.appStore({ profileId: null, customerUserId: 'u' })).json().data.profileId).toBe(
      client.profileId,
    );
    const other = await profileOf('other');
    expect((await client.appStore({ customerUserId: 'other' })).json().data.profileId).toBe(client.profileId);
    expect((await client.appStore({ profileId: other, customerUserId: 'u' })).json().data.profileId).toBe(other);
  });

  it('ignores fields that it does not know', async () => {
    expect((await client.appStore({ abTestId: 'x', token: 7, paywallSessionId: {} })).statusCode).toBe(200);
    expect(client.command.attribution).toBeNull();
  });
});

describe('a purchase on Play', () => {
  it('is asked for by its token, which nobody can read on the way', async () => {
    const response = await client.play({ ...attribution, abTestId: 5, price: 1, isSubscription: true });
    expect(response.statusCode).toBe(200);
    expect(response.json().data).toMatchObject({
      profileId: client.profileId,
      state: 'subscribed',
      subscriptions: { premium: {} },
    });
    expect(client.asked).toMatchObject([{ appId: 1, key: chainIdOf(1, 'play_store', 'token-1'), deadlineMs: 8_000 }]);
    const { purchase, ...rest } = client.command;
    expect(rest).toEqual({
      profileId: client.profileId,
      source: null,
      attribution: { ...attribution, abTestId: 5 },
      clientReported: { price: '1', currency: null, hasTrialPhase: null },
    });
    expect(purchase).toEqual({
      ...{ store: 'play_store', productId: 'premium', kind: 'subscription' },
      sealedToken: expect.any(String),
    });
    const sealed = purchase.store === 'play_store' ? purchase.sealedToken : '';
    expect(opened(sealed)).toBe('token-1');
    expect(() => opened(sealed, 2)).toThrow();
    expect(JSON.stringify(client.asked) + gateway.lines.join('')).not.toContain('token-1');
  });

  it.each([
    [{ purchaseToken: 'a', token: undefined }, 'a'],
    [{ purchaseToken: undefined, token: 'b' }, 'b'],
    [{ purchaseToken: null, token: 'c' }, 'c'],
    [{ purchaseToken: 'd', token: '' }, 'd'],
    [{ purchaseToken: 'e', token: 'e' }, 'e'],
    [{ purchaseToken: '😀'.repeat(4096), token: null }, '😀'.repeat(4096)],
  ])('has its token in either field', async (fields, token) => {
    expect((await client.play(fields)).statusCode).toBe(200);
    expect(client.asked).toMatchObject([{ key: chainIdOf(1, 'play_store', token) }]);
  });

  it.each([
    [{}, null],
    [{ isSubscription: true }, 'subscription'],
    [{ isSubscription: false }, 'one_time'],
    [{ subscriptionOfferDetails: subscriptionOffer() }, 'subscription'],
    [{ oneTimePurchaseOfferDetails: { priceAmountMicros: 1 } }, 'one_time'],
    [{ subscriptionOfferDetails: {}, oneTimePurchaseOfferDetails: null }, 'subscription'],
    [{ isSubscription: true, subscriptionOfferDetails: {} }, 'subscription'],
    [{ isSubscription: false, subscriptionOfferDetails: {} }, null],
    [{ isSubscription: true, oneTimePurchaseOfferDetails: {} }, null],
  ])('of %j is of the kind %s', async (fields, kind) => {
    expect((await client.play(fields)).statusCode).toBe(200);
    expect(client.command.purchase).toMatchObject({ kind });
  });

  it.each([
    [undefined, null],
    [subscriptionOffer(), null],
    [{ pricingPhases: null }, null],
    [subscriptionOffer(phases.paid), false],
    [subscriptionOffer(phases.free, phases.paid), true],
    [subscriptionOffer({ priceAmountMicros: null }), false],
  ])('with the offer %j is a trial: %s', async (subscriptionOfferDetails, hasTrialPhase) => {
    expect((await client.play({ subscriptionOfferDetails })).statusCode).toBe(200);
    expect(client.command.clientReported?.hasTrialPhase ?? null).toBe(hasTrialPhase);
  });

  it('waits for the chain that the token belongs to, where an earlier token named it', async () => {
    const earlier = chainIdOf(1, 'play_store', 'token-0');
    gateway.backend.on(ValidatePurchase, () => ({ reply: { chainId: earlier, profileId: client.profileId } }));
    expect(refusalIn(await client.play())).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await client.play({ purchaseToken: 'token-0' });
    client.sell(earlier);
    expect((await client.play()).statusCode).toBe(200);
  });
});

describe('the v1 profile', () => {
  it('shows what was bought, and that it ran out by the clock alone', async () => {
    await client.play();
    const save = async () =>
      (await gateway.request('POST', `${v1}/profiles`, { customerUserId: 'u' })).json().data as object;
    expect(await save()).toMatchObject({ paid: true, state: 'subscribed', accessLevels: { premium: {} } });
    gateway.clock.advance(31 * day);
    expect(await save()).toMatchObject({
      ...{ paid: false, state: 'subscription-cancelled', totalRevenueUsd: 9.99 },
      subscriptions: { premium: { isActive: false, cancellationReason: 'unknown' } },
    });
  });

  it('is of its own app’s catalog: a product without access grants none', async () => {
    await client.play({ productId: 'unknown' });
    const { data } = (await gateway.request('POST', `${v1}/profiles`, { customerUserId: 'u' })).json();
    expect([Object.keys(data.subscriptions), data.accessLevels]).toEqual([['unknown'], {}]);
  });

  it('is not asked for by a paywall request', async () => {
    gateway.backend.chainQueries = 0;
    const fetched = await gateway.request('POST', `${v1}/paywalls`, {
      profileId: client.profileId,
      placementId: 'onboarding',
    });
    expect([fetched.statusCode, gateway.backend.chainQueries]).toEqual([200, 0]);
    expect(gateway.backend.sent.at(-1)?.type).toBe(ServePaywall.type);
  });
});

it('logs neither token nor identifiers of the purchase', async () => {
  await client.play({ purchaseToken: 'sentinel-1', customerUserId: 'sentinel-2' });
  await client.play({ purchaseToken: 'sentinel-1', token: 'sentinel-3' });
  await client.appStore({ originalTransactionId: '777000777' });
  const log = gateway.lines.join('');
  expect(log).toContain('Answered');
  expect(log + (await gateway.parts.metrics.text())).not.toMatch(/sentinel|777000777/);
});
