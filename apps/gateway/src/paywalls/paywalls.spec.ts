import { mock } from 'node:test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RecordFallback, ServePaywall } from '@paywright/contracts';
import { CommandTimeout, ServiceOverloaded } from '@paywright/messaging';
import { servedPaywall } from '../testing/fake-backend.ts';
import { firstApp, startOfTime, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

const v1 = '/api/v1/web-api/paywalls';
const v2 = '/v2/paywall';

let gateway: TestGateway;
let profileId: string;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  gateway.reset();
  const profile = {
    country: 'DE',
    device: 'd',
    os: 'o',
    platform: 'ios',
    customerUserId: 'u',
    email: 'a@b.c',
    locale: 'de',
  };
  profileId = (await gateway.request('POST', '/api/v1/web-api/profiles', profile)).json().data.profileId;
});
afterEach(() => mock.restoreAll());
afterAll(() => gateway.app.close());

const fetchV1 = (body: object = {}) => gateway.request('POST', v1, { profileId, placementId: 'onboarding', ...body });
const lastCommand = () => gateway.backend.sent.at(-1);
const contextSent = () => ServePaywall.body.parse(lastCommand()?.body).context;
const claimsOf = (token: string) => {
  const verification = gateway.parts.tokens.verify(token);
  return verification.ok ? verification.claims : null;
};

const common = { id: 12, externalId: 'calm_v1', name: 'Calm', isExperiment: true, aiPricingModelId: 3 };
const noOffer = { appStoreOfferType: null, promotionalOfferId: null, winBackOfferId: null };
const entry = (store: string, productId: string, basePlanId: string | null) => ({
  ...{ store, productId, sourceProductId: productId, basePlanId, offerId: null, offerIds: [], ...noOffer },
  ...{ serviceProductId: 5, isConsumable: false },
});
const sourceProducts = [
  entry('app_store', 'premium.monthly', null),
  entry('play_store', 'premium', 'monthly'),
  entry('stripe', 'prod_1', null),
];

it('answers in v1 with the paywall, its products for every store, and a token', async () => {
  const response = await fetchV1();
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(response.json()).toEqual({
    ok: true,
    data: {
      ...common,
      remoteConfigs: null,
      revision: 2,
      placementId: 'onboarding',
      sourceProducts,
      paywallSessionId: expect.stringMatching(/^.{200,512}$/),
    },
  });
});

it('answers in v2 with a block a store', async () => {
  const response = await gateway.request('POST', v2, { profileId, placementId: 'onboarding' });
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    ok: true,
    data: {
      ...common,
      paywallSessionId: expect.any(String),
      paywallProducts: [
        {
          paywallProductId: 7,
          name: 'Premium monthly',
          period: 'monthly',
          appStore: { productId: 'premium.monthly', offerId: null, promotionalOfferId: null, offerType: null },
          playStore: { productId: 'premium', basePlanId: 'monthly', offerId: null },
          stripe: { productId: 'prod_1', priceId: 'price_1', trialPeriodDays: 7 },
          web2wave: null,
          custom: null,
        },
      ],
    },
  });
});

it('issues a token for the decision', async () => {
  const { paywallSessionId } = (await fetchV1()).json().data;
  expect(claimsOf(paywallSessionId)).toEqual({
    appId: 1,
    profileId,
    decisionId: lastCommand()?.id,
    placementId: 'onboarding',
    paywallId: 12,
    aiPricingModelId: 3,
    abTestId: null,
    isExperiment: true,
    issuedAt: startOfTime,
  });
});

describe('store', () => {
  it.each(['app_store', 'play_store', 'stripe'])('%s filters the products', async (store) => {
    const listed = (await fetchV1({ store })).json().data.sourceProducts;
    expect(listed).toEqual(sourceProducts.filter((product) => product.store === store));
    expect(contextSent().store).toBe(store);
  });

  it.each([null, ''])('%j is as absent', async (store) => {
    expect((await fetchV1({ store })).json().data.sourceProducts).toEqual(sourceProducts);
  });

  it.each(['amazon', 'APP_STORE', 7])('%j is refused', async (store) => {
    expect((await fetchV1({ store })).json().error).toBe('store must be one of app_store, play_store, stripe.');
  });
});

describe('the context', () => {
  it('is the profile, without a personal field', async () => {
    await fetchV1({ ip: '203.0.113.9' });
    expect(contextSent()).toMatchObject({ country: 'DE', device: 'd', locale: 'de', profileCreatedAt: startOfTime });
    expect(JSON.stringify(lastCommand())).not.toMatch(/a@b\.c|203\.0\.113|"u"/);
  });

  it('has the attributes that were acknowledged', async () => {
    const custom = [
      { key: '__proto__', value: 'x' },
      { key: 'goal', value: 'sleep' },
    ];
    await gateway.request('POST', '/v2/custom-attributes', { profileId, custom });
    await fetchV1();
    expect(contextSent().custom).toMatchObject({ goal: 'sleep' });
    expect(Object.entries(contextSent().custom)).toContainEqual(['__proto__', 'x']);
  });

  it('takes the request’s overrides for this decision', async () => {
    const overrides = {
      country: 'fr',
      deviceTypeModel: 'tv',
      osVersion: '9',
      attributionSource: 'ad',
      languageLocale: 'fr',
    };
    await fetchV1(overrides);
    expect(contextSent()).toMatchObject({
      country: 'FR',
      device: 'tv',
      osVersion: '9',
      attributionSource: 'ad',
      locale: 'fr',
    });
    await fetchV1({ locale: 'it', languageLocale: 'fr', country: null, deviceTypeModel: '' });
    expect(contextSent()).toMatchObject({ country: 'DE', device: 'd', locale: 'it', attributionSource: null });
  });

  it('in v2 takes an alpha-3 country', async () => {
    await gateway.request('POST', v2, { profileId, placementId: 'onboarding', country: 'FRA' });
    expect(contextSent().country).toBe('FR');
  });
});

describe('refuses', () => {
  it.each([
    [{ placementId: undefined }, 400, 'VALIDATION_FAILED'],
    [{ placementId: null }, 400, 'VALIDATION_FAILED'],
    [{ placementId: '' }, 400, 'VALIDATION_FAILED'],
    [{ placementId: 'x'.repeat(256) }, 400, 'VALIDATION_FAILED'],
    [{ profileId: undefined }, 400, 'VALIDATION_FAILED'],
    [{ profileId: '' }, 400, 'VALIDATION_FAILED'],
    [{ country: 'ZZ' }, 400, 'VALIDATION_FAILED'],
    [{ ip: '1.2.3' }, 400, 'VALIDATION_FAILED'],
    [{ locale: 7 }, 400, 'VALIDATION_FAILED'],
    [{ placementId: 'nowhere' }, 404, 'PLACEMENT_NOT_FOUND'],
    [{ placementId: 'constructor' }, 404, 'PLACEMENT_NOT_FOUND'],
    [{ profileId: 'no-uuid' }, 404, 'PROFILE_NOT_FOUND'],
    [{ profileId: '01a1ff2a-eabd-7649-b467-0adce80e42d9' }, 404, 'PROFILE_NOT_FOUND'],
  ])('%j in both generations: %d %s', async (changes, status, code) => {
    for (const url of [v1, v2]) {
      const response = await gateway.request('POST', url, { profileId, placementId: 'onboarding', ...changes });
      expect([response.statusCode, response.json().code]).toEqual([status, code]);
    }
    expect(lastCommand()?.type).toBe('SaveProfile');
  });

  it('no profile while the read model may lack profiles: 503, in both generations', async () => {
    gateway.backend.progress.mayLack = true;
    for (const url of [v1, v2]) {
      const stranger = { profileId: '01a1ff2a-eabd-7649-b467-0adce80e42d9', placementId: 'onboarding' };
      const response = await gateway.request('POST', url, stranger);
      expect([response.statusCode, response.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    }
  });

  it('a circle that was drawn, with the service’s message', async () => {
    const message = 'Circular placement allocation detected: a -> b -> a';
    gateway.backend.on(ServePaywall, () => ({ refusal: { code: 'CIRCULAR_PLACEMENT_ALLOCATION', message } }));
    const response = await fetchV1();
    expect([response.statusCode, response.json()]).toEqual([
      422,
      { error: message, code: 'CIRCULAR_PLACEMENT_ALLOCATION' },
    ]);
    expect(gateway.backend.posted).toEqual([]);
  });
});

describe('by a customer user id alone', () => {
  it('asks for Baseline', async () => {
    const response = await fetchV1({ profileId: undefined, customerUserId: 'u' });
    expect(response.json().data.isExperiment).toBe(false);
    expect(lastCommand()).toMatchObject({ key: profileId, body: { baselineOnly: true } });
    await fetchV1({ customerUserId: 'u' });
    expect(lastCommand()).toMatchObject({ key: profileId, body: { baselineOnly: false } });
  });

  it('finds no profile that does not exist: 404', async () => {
    const response = await fetchV1({ profileId: null, customerUserId: 'nobody' });
    expect([response.statusCode, response.json().code]).toEqual([404, 'PROFILE_NOT_FOUND']);
  });
});

describe('without an answer from selection', () => {
  it('serves Baseline where the decision is too long to be recorded', async () => {
    gateway.backend.on(ServePaywall, () => ({ refusal: { code: 'PAYLOAD_TOO_LARGE', message: 'Too long.' } }));
    expect((await fetchV1()).json().data).toMatchObject({ name: 'Calm', isExperiment: false });
    expect(gateway.backend.posted).toMatchObject([{ body: { reason: 'unavailable' } }]);
  });

  it.each([
    ['deadline', new CommandTimeout('late')],
    ['overload', new ServiceOverloaded('full')],
    ['unavailable', new Error('broken')],
  ])('serves Baseline, with a token of its own decision, recorded as %s', async (reason, error) => {
    gateway.backend.on(ServePaywall, () => Promise.reject(error));
    const response = await fetchV1();
    expect(response.statusCode).toBe(200);
    const { paywallSessionId, ...paywall } = response.json().data;
    expect(paywall).toMatchObject({ ...common, isExperiment: false, placementId: 'onboarding' });
    const [recorded] = gateway.backend.posted;
    expect(recorded).toMatchObject({ type: 'RecordFallback', appId: 1, key: profileId });
    expect(RecordFallback.body.parse(recorded?.body)).toMatchObject({
      ...{ supersedes: lastCommand()?.id, reason, placementId: 'onboarding', paywall: 'calm', paywallId: 12 },
      ...{ externalId: 'calm_v1', catalogRevision: 1, isExperiment: false, aiPricingModelId: 3, abTestId: null },
    });
    expect(recorded?.id).not.toBe(lastCommand()?.id);
    expect(claimsOf(paywallSessionId)).toMatchObject({ decisionId: recorded?.id, isExperiment: false, profileId });
  });

  it('records how long it waited', async () => {
    let now = 1_000;
    mock.method(performance, 'now', () => now);
    gateway.backend.on(ServePaywall, async () => {
      now += 30;
      throw new CommandTimeout('late');
    });
    await fetchV1();
    expect(RecordFallback.body.parse(gateway.backend.posted[0]?.body).latencyMs).toBe(30);
  });

  it('still refuses what does not exist', async () => {
    gateway.backend.on(ServePaywall, () => Promise.reject(new CommandTimeout('late')));
    expect((await fetchV1({ placementId: 'nowhere' })).statusCode).toBe(404);
    expect((await fetchV1({ profileId: 'nobody' })).statusCode).toBe(404);
    expect(gateway.backend.posted).toEqual([]);
  });
});

describe('the catalog revision', () => {
  // Each test has apps of its own: a newer catalog stays.
  let kept: TestGateway;
  beforeEach(async () => {
    kept = gateway;
    gateway = await startTestGateway();
    profileId = (await gateway.request('POST', '/api/v1/web-api/profiles', { customerUserId: 'u' })).json().data
      .profileId;
  });
  afterEach(async () => {
    await gateway.app.close();
    gateway = kept;
  });

  const renamed = (revision: number) => ({
    ...firstApp,
    version: revision,
    revision,
    document: {
      ...firstApp.document,
      paywalls: firstApp.document.paywalls.map((one) => ({ ...one, name: `r${revision}` })),
    },
  });

  it('is asked for at least as new as the gateway’s', async () => {
    gateway.parts.apps.apply(renamed(4));
    await fetchV1();
    expect(lastCommand()).toMatchObject({ body: { catalogRevision: 4 } });
  });

  it('of the answer is the one whose paywall is shown, also if it is older', async () => {
    gateway.backend.on(ServePaywall, (command) => {
      gateway.parts.apps.apply(renamed(2));
      return servedPaywall(command, { catalogRevision: 1 });
    });
    expect((await fetchV1()).json().data.name).toBe('Calm');
  });

  it('of the answer is waited for if the gateway does not have it yet', async () => {
    gateway.backend.on(ServePaywall, (command) => {
      setTimeout(() => gateway.parts.apps.apply(renamed(2)), 20);
      return servedPaywall(command, { catalogRevision: 2 });
    });
    expect((await fetchV1()).json().data.name).toBe('r2');
  });

  it('with a paywall that this gateway never sees leads to Baseline', async () => {
    gateway.backend.on(ServePaywall, (command) => servedPaywall(command, { catalogRevision: 9, paywall: 'unseen' }));
    expect((await fetchV1()).json().data).toMatchObject({ name: 'Calm', isExperiment: false });
    expect(gateway.backend.posted).toMatchObject([{ body: { reason: 'unavailable' } }]);
  });
});
