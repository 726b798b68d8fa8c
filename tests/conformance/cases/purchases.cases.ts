import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { newProfileId, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { App } from '../clients.ts';
import { accepted, eventually, identical, invalid, refused } from '../expectations.ts';
import type { Answer, Json } from '../http.ts';
import { createApp } from '../preparation.ts';
import { appStorePath, appStorePurchase, playPath, playPurchase } from '../purchases.ts';

const requests = section('v1 /purchases/…/validate');
const decided = section('decisions.md, 50 to 72: purchases');
const ledger = section('admin-api.md: ledger');

const purchases = [
  [appStorePath, appStorePurchase],
  [playPath, playPurchase],
] as const;

/** The shape is sound: what is missing is the store. */
const withoutStore = (answer: Answer): Json => refused(answer, 422, 'STORE_NOT_CONFIGURED');

/** Values that a field does not take, in either store's request. */
const wrongValues: Readonly<Record<string, readonly unknown[]>> = {
  productId: [undefined, null, '', 7, {}, 'x'.repeat(256)],
  profileId: ['', 7, []],
  customerUserId: ['', 7, 'x'.repeat(256)],
  paywallId: ['12', 1.5, true],
  placementId: ['', 12, 'x'.repeat(256)],
  isExperiment: ['true', 1],
  aiPricingModelId: ['3', 0.5],
  environment: ['staging', 'Production', 1],
  isSubscription: ['true', 0],
  price: ['9.99', true, {}],
  currency: [978, [], 'x'.repeat(256)],
};

const offers = {
  subscriptionOfferDetails: {
    basePlanId: 'monthly',
    offerId: 'intro',
    offerToken: 't'.repeat(4096),
    pricingPhases: [
      { priceAmountMicros: 0, currencyCode: 'USD', billingPeriod: 'P1W', recurrenceMode: 2, billingCycleCount: 1 },
      { priceAmountMicros: 9990000, currencyCode: 'USD', billingPeriod: 'P1M', recurrenceMode: 1 },
    ],
  },
  oneTimePurchaseOfferDetails: { priceAmountMicros: 1990000, currencyCode: 'USD' },
};

export const purchaseCases = [
  requests.withKey('iOS: productId, transactionId and originalTransactionId are required', async (app) => {
    const body = appStorePurchase(await newProfileId(app));
    for (const field of ['productId', 'transactionId', 'originalTransactionId'])
      for (const value of [undefined, null, '', 7])
        invalid(await app.v1(appStorePath, { ...body, [field]: value }), field);
  }),
  requests.withAdmin('iOS: the ids of transactions are texts of up to 255 characters', async ({ app }) => {
    const body = appStorePurchase(await newProfileId(app));
    for (const field of ['transactionId', 'originalTransactionId']) {
      for (const value of ['abc', '-1', '../1', '1'.repeat(255)])
        withoutStore(await app.v1(appStorePath, { ...body, [field]: value }));
      invalid(await app.v1(appStorePath, { ...body, [field]: '1'.repeat(256) }), field);
    }
  }),
  requests.withKey('iOS: source is restore, purchasing or observing', async (app) => {
    const body = appStorePurchase(await newProfileId(app));
    for (const source of ['buying', 'Restore', 1]) invalid(await app.v1(appStorePath, { ...body, source }), 'source');
  }),
  requests.withKey('One of profileId and customerUserId', async (app) => {
    for (const [path, purchase] of purchases)
      for (const profileId of [undefined, null])
        invalid(await app.v1(path, { ...purchase(''), profileId }), 'profileId');
  }),
  requests.withKey('Fields of another type or length, or another word than the listed: 400', async (app) => {
    const profileId = await newProfileId(app);
    for (const [path, purchase] of purchases)
      for (const [field, values] of Object.entries(wrongValues))
        for (const value of values) invalid(await app.v1(path, { ...purchase(profileId), [field]: value }), field);
  }),
  requests.withKey('Android: fields of the offers of another type: 400', async (app) => {
    const body = playPurchase(await newProfileId(app));
    const phase = (fields: object) => ({ subscriptionOfferDetails: { pricingPhases: [fields] } });
    for (const [field, faulty] of [
      ['subscriptionOfferDetails', { subscriptionOfferDetails: 'offer' }],
      ['basePlanId', { subscriptionOfferDetails: { basePlanId: 1 } }],
      ['offerToken', { subscriptionOfferDetails: { offerToken: 't'.repeat(4097) } }],
      ['pricingPhases', { subscriptionOfferDetails: { pricingPhases: {} } }],
      ['priceAmountMicros', phase({ priceAmountMicros: '0' })],
      ['billingPeriod', phase({ billingPeriod: 7 })],
      ['oneTimePurchaseOfferDetails', { oneTimePurchaseOfferDetails: [] }],
      ['currencyCode', { oneTimePurchaseOfferDetails: { currencyCode: 7 } }],
    ] as const)
      invalid(await app.v1(playPath, { ...body, ...faulty }), field);
  }),

  decided.withKey('50: purchaseToken or token; neither, or both and different: 400', async (app) => {
    const body = { ...playPurchase(await newProfileId(app)), purchaseToken: undefined };
    for (const tokens of [{}, { purchaseToken: null }, { purchaseToken: '', token: '' }])
      invalid(await app.v1(playPath, { ...body, ...tokens }), 'purchaseToken');
    invalid(await app.v1(playPath, { ...body, purchaseToken: 'a', token: 'b' }), 'token');
    for (const field of ['purchaseToken', 'token'])
      invalid(await app.v1(playPath, { ...body, [field]: 't'.repeat(4097) }), field);
  }),
  decided.withAdmin('50: either token field, both with the same token, up to 4096 characters', async ({ app }) => {
    const body = { ...playPurchase(await newProfileId(app)), purchaseToken: undefined };
    for (const tokens of [{ purchaseToken: 'a' }, { token: 'a' }, { purchaseToken: 'a', token: 'a' }])
      withoutStore(await app.v1(playPath, { ...body, ...tokens }));
    withoutStore(await app.v1(playPath, { ...body, token: 't'.repeat(4096), purchaseToken: null }));
  }),
  decided.withKey('52: both offer objects on a Play request: 400', async (app) => {
    const body = playPurchase(await newProfileId(app));
    invalid(await app.v1(playPath, { ...body, ...offers }), 'OfferDetails');
    const empty = { subscriptionOfferDetails: {}, oneTimePurchaseOfferDetails: {} };
    invalid(await app.v1(playPath, { ...body, ...empty }), 'OfferDetails');
  }),
  decided.withAdmin('52: either offer object, or neither, is accepted', async ({ app }) => {
    const body = playPurchase(await newProfileId(app));
    const { subscriptionOfferDetails, oneTimePurchaseOfferDetails } = offers;
    const absent = { subscriptionOfferDetails: null, oneTimePurchaseOfferDetails: null };
    for (const offer of [{}, absent, { subscriptionOfferDetails }, { oneTimePurchaseOfferDetails }])
      withoutStore(await app.v1(playPath, { ...body, ...offer }));
  }),
  decided.withAdmin('55: no credentials for that store: 422 STORE_NOT_CONFIGURED', async ({ app }) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    for (const [path, purchase] of purchases) {
      withoutStore(await app.v1(path, purchase(profileId)));
      withoutStore(await app.v1(path, { ...purchase(''), profileId: null, customerUserId }));
    }
  }),
  decided.withAdmin(
    '59, 67: placementId, price and every other optional field may be left out or null; unknown fields are ignored',
    async ({ app }) => {
      const profileId = await newProfileId(app);
      const optional = Object.keys(wrongValues).filter((field) => !['productId', 'profileId'].includes(field));
      const nulls = Object.fromEntries([...optional, 'source', 'abTestId'].map((field) => [field, null]));
      for (const [path, purchase] of purchases) {
        withoutStore(await app.v1(path, { ...purchase(profileId), ...nulls }));
        withoutStore(await app.v1(path, { ...purchase(profileId), placementId: undefined }));
        withoutStore(await app.v1(path, { ...purchase(profileId), price: 0, currency: '', environment: '' }));
        withoutStore(await app.v1(path, { ...purchase(profileId), paywallSessionId: 7, unknown: { deep: [1] } }));
      }
    },
  ),
  decided.withAdmin('9: refusals in this order: 400, then the 422 of the store', async ({ app }) => {
    for (const [path, purchase] of purchases) {
      invalid(await app.v1(path, { ...purchase('unknown'), productId: null }), 'productId');
      withoutStore(await app.v1(path, purchase(await newProfileId(app))));
    }
  }),
  decided.withAdmin('6: a 400 is kept under an Idempotency-Key, and 55 is not', async ({ admin, app: { url } }) => {
    const { id: appId, secretKey } = await createApp(admin);
    const app = new App(url, secretKey);
    accepted(await admin.put(`/apps/${appId}/catalog`, { app: { bundleId: 'com.example.conformance' } }), 200);
    const body = appStorePurchase(await newProfileId(app));
    const [key, keyOfFault] = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }];
    withoutStore(await app.v1(appStorePath, body, key));
    const fault = await app.v1(appStorePath, { ...body, productId: 7 }, keyOfFault);
    accepted(await admin.put(`/apps/${appId}/credentials/app-store`, unknownCredentials()), 200);
    await eventually('another answer than STORE_NOT_CONFIGURED', async () => {
      const answer = await app.v1(appStorePath, body, key);
      return answer.body?.code === 'STORE_NOT_CONFIGURED' ? null : answer;
    });
    identical(await app.v1(appStorePath, { ...body, productId: 7 }, keyOfFault), fault);
    refused(await app.v1(appStorePath, { ...body, price: 1 }, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    accepted(await admin.delete(`/apps/${appId}/credentials/app-store`), 200);
  }),
  decided.withAdmin('A profile that bought nothing is unpaid and never-subscribed, and earned nothing', async (own) => {
    const profileId = await newProfileId(own.app);
    withoutStore(await own.app.v1(appStorePath, appStorePurchase(profileId)));
    const profile = accepted(await own.admin.get(`/apps/${own.appId}/profiles/${profileId}`), 200);
    const { paid, state, totalRevenueUsd, accessLevels, subscriptions, nonSubscriptions } = profile;
    assert.deepEqual(
      { paid, state, totalRevenueUsd, accessLevels, subscriptions, nonSubscriptions },
      {
        ...{ paid: false, state: 'never-subscribed', totalRevenueUsd: 0 },
        ...{ accessLevels: {}, subscriptions: {}, nonSubscriptions: {} },
      },
    );
  }),

  ledger.withAdmin('GET …/profiles/{profileId}/ledger of who bought nothing is an empty list', async (own) => {
    const path = `/apps/${own.appId}/profiles/${await newProfileId(own.app)}/ledger`;
    const answer = await own.admin.get(path);
    assert.deepEqual(answer.body, { ok: true, data: [], nextCursor: null });
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=', 'cursor=none'])
      refused(await own.admin.get(`${path}?${query}`), 400, 'VALIDATION_FAILED');
  }),
];

/** Of the right form, and nobody's. */
function unknownCredentials(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { issuerId: randomUUID(), keyId: 'ABCDE12345', privateKey: pem, appAppleId: 1234 };
}
