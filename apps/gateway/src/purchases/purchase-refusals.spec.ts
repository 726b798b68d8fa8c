import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ValidatePurchase } from '@paywright/contracts';
import { CommandTimeout, ServiceOverloaded } from '@paywright/messaging';
import {
  appStoreUrl,
  nobody,
  phases,
  playUrl,
  PurchaseClient,
  refusalIn,
  storesNo,
  subscriptionOffer,
} from '../testing/purchase-client.ts';
import type { InMemoryCredentialsBook } from '@paywright/store-credentials/testing';
import { otherSecretKey, startTestGateway, v1, type TestGateway } from '../testing/test-gateway.ts';

let gateway: TestGateway;
let client: PurchaseClient;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  client = await PurchaseClient.startedOver(gateway);
});
afterAll(() => gateway.app.close());

const shared: readonly [string, object][] = [
  ['no product', { productId: undefined }],
  ['a null product', { productId: null }],
  ['an empty product', { productId: '' }],
  ['a product of another type', { productId: 7 }],
  ['too long a product', { productId: 'x'.repeat(256) }],
  ['a product that no store can keep', { productId: 'a\0' }],
  ['no identifier', { profileId: undefined }],
  ['null identifiers', { profileId: null, customerUserId: null }],
  ['an empty profileId', { profileId: '' }],
  ['an empty customerUserId', { customerUserId: '' }],
  ['a profileId of another type', { profileId: 7 }],
  ['too long a customerUserId', { customerUserId: 'x'.repeat(256) }],
  ['a paywallId as text', { paywallId: '12' }],
  ['a fractional paywallId', { paywallId: 1.5 }],
  ['a paywallId of more than 32 bits', { paywallId: 2 ** 31 }],
  ['an empty placementId', { placementId: '' }],
  ['a placementId of another type', { placementId: 12 }],
  ['isExperiment as text', { isExperiment: 'true' }],
  ['aiPricingModelId as text', { aiPricingModelId: '3' }],
  ['another environment', { environment: 'staging' }],
  ['an environment in another case', { environment: 'Sandbox' }],
  ['isSubscription as a number', { isSubscription: 1 }],
  ['a price as text', { price: '9.99' }],
  ['a price that cannot be written down', { price: 1e18 }],
  ['a currency of another type', { currency: 978 }],
  ['too long a currency', { currency: 'x'.repeat(256) }],
];

const ofAppStore: readonly [string, object][] = [
  ...['transactionId', 'originalTransactionId'].flatMap((name): [string, object][] => [
    [`no ${name}`, { [name]: undefined }],
    [`a null ${name}`, { [name]: null }],
    [`an empty ${name}`, { [name]: '' }],
    [`${name} as a number`, { [name]: 2000 }],
    [`a ${name} that no store can keep`, { [name]: '2000\0' }],
    [`too long a ${name}`, { [name]: '1'.repeat(256) }],
  ]),
  ['another source', { source: 'buying' }],
  ['a source of another type', { source: 1 }],
];

const ofPlay: readonly [string, object][] = [
  ['no token', { purchaseToken: undefined }],
  ['null tokens', { purchaseToken: null, token: null }],
  ['empty tokens', { purchaseToken: '', token: '' }],
  ['two tokens', { purchaseToken: 'a', token: 'b' }],
  ['a token of another type', { token: 7 }],
  ['too long a purchaseToken', { purchaseToken: 'x'.repeat(4097) }],
  ['too long a token', { purchaseToken: undefined, token: 'x'.repeat(4097) }],
  ['both offers', { subscriptionOfferDetails: {}, oneTimePurchaseOfferDetails: {} }],
  ['an offer as text', { subscriptionOfferDetails: 'offer' }],
  ['an offer as a list', { oneTimePurchaseOfferDetails: [{}] }],
  ['too long an offerToken', { subscriptionOfferDetails: { offerToken: 'x'.repeat(4097) } }],
  ['a base plan of another type', { subscriptionOfferDetails: { basePlanId: 1 } }],
  ['phases that are no list', { subscriptionOfferDetails: { pricingPhases: {} } }],
  ['a phase that is no object', { subscriptionOfferDetails: { pricingPhases: [null] } }],
  ['a phase with a price as text', { subscriptionOfferDetails: subscriptionOffer({ priceAmountMicros: '0' }) }],
  ['a phase with a period of another type', { subscriptionOfferDetails: subscriptionOffer({ billingPeriod: 1 }) }],
  ['a phase with a count as text', { subscriptionOfferDetails: subscriptionOffer({ billingCycleCount: '1' }) }],
  [
    'too many phases',
    { subscriptionOfferDetails: subscriptionOffer(...Array.from({ length: 501 }, () => phases.paid)) },
  ],
  ['a one-time price as text', { oneTimePurchaseOfferDetails: { priceAmountMicros: '1' } }],
  ['a one-time currency of another type', { oneTimePurchaseOfferDetails: { currencyCode: 1 } }],
  ['abTestId as text', { abTestId: '5' }],
];

describe.each([
  ['the App Store', appStoreUrl, 'appStoreBody', [...shared, ...ofAppStore]],
  ['Play', playUrl, 'playBody', [...shared, ...ofPlay]],
] as const)('a request about %s', (_, url, bodyOfStore, refusals) => {
  const body = (changes: object = {}) => client[bodyOfStore](changes);

  it.each(refusals)('is refused with %s: 400, and nobody is asked', async (__, changes) => {
    const response = await gateway.request('POST', url, body(changes));
    expect(refusalIn(response)).toEqual([400, 'VALIDATION_FAILED']);
    const named = Object.keys(changes).some((name) => response.json().error.includes(name));
    expect([named, response.json().error]).toEqual([true, expect.stringMatching(/\.$/)]);
    expect(client.asked).toEqual([]);
  });

  it.each(['paywallId', 'aiPricingModelId'])('is told which numbers it can have had as %s', async (name) => {
    const response = await gateway.request('POST', url, body({ [name]: 2 ** 31 }));
    expect(response.json().error).toContain('an integer from -2147483648 to 2147483647, as the paywall was answered');
  });

  it('of an app without credentials is refused: 422, and nobody is asked', async () => {
    const response = await gateway.request('POST', url, body(), { authorization: otherSecretKey });
    expect(refusalIn(response)).toEqual([422, 'STORE_NOT_CONFIGURED']);
    expect(client.asked).toEqual([]);
  });

  it('of an app whose credentials cannot be opened may be sent again: 503, and nobody is asked', async () => {
    const credentials = gateway.parts.credentials as InMemoryCredentialsBook;
    const appStore = credentials.find(1, 'app_store')!;
    const playStore = credentials.find(1, 'play_store')!;
    for (const store of ['app_store', 'play_store'] as const) credentials.lock(1, store);
    try {
      const response = await gateway.request('POST', url, body());
      expect(refusalIn(response)).toEqual([503, 'STORE_UNAVAILABLE']);
      expect(response.headers['retry-after']).toBeDefined();
      expect(client.asked).toEqual([]);
    } finally {
      await credentials.put(1, 'app_store', appStore);
      await credentials.put(1, 'play_store', playStore);
    }
  });

  it.each([{ profileId: nobody }, { profileId: 'none' }, { profileId: null, customerUserId: 'stranger' }])(
    'for the unknown profile %j is refused: 404, and nobody is asked',
    async (changes) => {
      expect(refusalIn(await gateway.request('POST', url, body(changes)))).toEqual([404, 'PROFILE_NOT_FOUND']);
      expect(client.asked).toEqual([]);
    },
  );

  it('for an unknown profile may be sent again while the read model may lack profiles: 503', async () => {
    gateway.backend.progress.mayLack = true;
    const response = await gateway.request('POST', url, body({ profileId: nobody }));
    expect(refusalIn(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(client.asked).toEqual([]);
  });

  it('of a new profile that the read model shows behind the purchase is to be sent again: 503, and not 404', async () => {
    Object.assign(gateway.backend, { readModelIsBehind: true, isBehindWithProfilesAlone: true });
    const { profileId } = (await gateway.request('POST', `${v1}/profiles`, { customerUserId: 'new' })).json().data;
    const response = await gateway.request('POST', url, body({ profileId }));
    expect(refusalIn(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(response.headers['retry-after']).toBeDefined();

    gateway.backend.readModelIsBehind = false;
    expect((await gateway.request('POST', url, body({ profileId }))).statusCode).toBe(200);
  });

  it('is refused for its shape, then for want of credentials, then for its profile', async () => {
    const other = { authorization: otherSecretKey };
    const changes = { profileId: nobody };
    const refuse = async (more: object) => refusalIn(await gateway.request('POST', url, body(more), other));
    expect(await refuse({ ...changes, productId: null })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refuse(changes)).toEqual([422, 'STORE_NOT_CONFIGURED']);
  });
});

describe('a no', () => {
  it.each([...storesNo, 'PURCHASE_BELONGS_TO_ANOTHER_PROFILE'] as const)('by %s is 422', async (code) => {
    client.refuseWith(code);
    expect(refusalIn(await client.appStore())).toEqual([422, code]);
    expect(gateway.backend.chains.size).toBe(0);
  });

  it('of a store that does not answer is 503 with Retry-After', async () => {
    client.refuseWith('STORE_UNAVAILABLE');
    const response = await client.play();
    expect([...refusalIn(response), response.headers['retry-after']]).toEqual([503, 'STORE_UNAVAILABLE', '1']);
  });

  it.each([
    ['no reply comes', new CommandTimeout('late')],
    ['too much waits', new ServiceOverloaded('full')],
  ])('is 503 if %s', async (_, error) => {
    gateway.backend.on(ValidatePurchase, () => Promise.reject(error));
    const response = await client.appStore();
    expect([...refusalIn(response), response.headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
  });

  it('comes in place of what the next request would not see: 503', async () => {
    gateway.backend.readModelIsBehind = true;
    expect(refusalIn(await client.appStore())).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });
});
