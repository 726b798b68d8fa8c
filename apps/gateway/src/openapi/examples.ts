import { decisionId, profileId, time } from './example-ids.ts';
import { access } from './purchase-examples.ts';

export const saveProfileV1 = {
  customerUserId: 'user-1',
  country: 'DE',
  device: 'Pixel 9',
  os: 'Android 16',
  platform: 'android',
  appVersion: '1.4.0',
  locale: 'de-DE',
};
export const saveProfileV2 = {
  appUserId: 'user-1',
  country: 'DEU',
  device: 'Pixel 9',
  os: 'Android 16',
  platform: 'android',
  appVersion: '1.4.0',
};

export const attribute = { id: '0190a5b0-91aa-7b20-a3c4-5d6e7f809102', key: 'goal', value: 'sleep' };
const custom = { key: 'goal', value: 'sleep' };
export const setAttributeV1 = { profileId, custom };
export const updateAttributeV1 = { profileId, attrId: attribute.id, custom: { key: 'goal', value: 'focus' } };
export const setAttributesV1 = { profileId, custom: [custom] };
export const setAttributesV2 = { profileId, custom: [custom] };

export const profileV1 = {
  profileId,
  customerUserId: 'user-1',
  country: 'DE',
  locale: 'de-DE',
  currency: null,
  device: 'Pixel 9',
  os: 'Android 16',
  platform: 'android',
  createdDate: time,
  linkedProfileIds: null,
  migrationProfileId: null,
  createdAt: time,
  ipCountry: null,
  appleConsumptionConsent: null,
  birthday: null,
  age: null,
  advertisingId: null,
  appBuild: null,
  appVersion: '1.4.0',
  ip: null,
  idfa: null,
  email: null,
  phone: null,
  gender: null,
  username: null,
  serviceSdkVersion: null,
  custom: [attribute],
  paid: true,
  state: 'subscribed',
  totalRevenueUsd: 9.99,
  accessLevels: { premium: access },
  subscriptions: { premium: access },
  nonSubscriptions: {},
};
export const profileV2 = {
  profileId,
  appUserId: 'user-1',
  country: 'DE',
  locale: null,
  ip: null,
  device: 'Pixel 9',
  os: 'Android 16',
  platform: 'android',
  appVersion: '1.4.0',
  appBuild: null,
  advertisingId: null,
  createdAt: time,
  updatedAt: time,
};

export const paywallRequest = { profileId, placementId: 'onboarding' };
const paywall = { id: 12, externalId: 'calm_v1', name: 'Calm' };
const served = { isExperiment: true, aiPricingModelId: 3, paywallSessionId: 'AQEAAAABkKWxLU96EIwu…' };
export const paywallV1 = {
  ...paywall,
  remoteConfigs: null,
  revision: 2,
  sourceProducts: [
    {
      store: 'play_store',
      serviceProductId: 5,
      isConsumable: false,
      productId: 'premium',
      sourceProductId: 'premium',
      basePlanId: 'monthly',
      offerId: 'intro',
      offerIds: ['intro'],
      appStoreOfferType: null,
      promotionalOfferId: null,
      winBackOfferId: null,
    },
  ],
  placementId: 'onboarding',
  ...served,
};
export const paywallV2 = {
  ...paywall,
  paywallProducts: [
    {
      paywallProductId: 7,
      name: 'Premium monthly',
      period: 'monthly',
      appStore: null,
      playStore: { productId: 'premium', basePlanId: 'monthly', offerId: 'intro' },
      stripe: { productId: 'prod_1', priceId: 'price_1', trialPeriodDays: 7 },
      web2wave: null,
      custom: null,
    },
  ],
  ...served,
};
export const events = [{ eventType: 'paywall_shown', profileId, paywallSessionId: served.paywallSessionId }];

const keyStart = 'pw_sk_4fQ2xA';
export const app = {
  id: 1,
  name: 'Demo',
  createdAt: time,
  keys: [{ id: 1, kind: 'secret', prefix: keyStart, createdAt: time, revokedAt: null }],
};
export const createdApp = { id: 1, name: 'Demo', secretKey: `${keyStart}…`, publicKey: 'pw_pk_Zk81bM…' };
export const issuedKey = { id: 3, kind: 'secret', key: `${keyStart}…`, prefix: keyStart, createdAt: time };
export const revokedKey = { id: 1, revokedAt: time };

export const catalogDocument = {
  app: { bundleId: 'com.example.app', packageName: 'com.example.app' },
  accessLevels: [{ id: 'premium' }],
  products: [
    {
      id: 'premium-monthly',
      name: 'Premium monthly',
      period: 'monthly',
      accessLevel: 'premium',
      playStore: { productId: 'premium', basePlanId: 'monthly' },
    },
  ],
  paywalls: [
    { id: 'calm', externalId: 'calm_v1', name: 'Calm', products: [{ product: 'premium-monthly' }] },
    { id: 'bold', name: 'Bold', products: [{ product: 'premium-monthly', playStore: { offerId: 'intro' } }] },
  ],
  models: [
    {
      id: 'main',
      name: 'Main',
      candidates: ['calm', 'bold'],
      traffic: [
        { target: 'ai_model', weight: 90 },
        { target: 'baseline', weight: 10 },
      ],
    },
  ],
  placements: [{ id: 'onboarding', name: 'Onboarding', baseline: 'calm', model: 'main' }],
};
export const catalog = {
  app: { bundleId: 'com.example.app', packageName: null, restorePolicy: 'transfer', acknowledgePlayPurchases: false },
  accessLevels: [],
  products: [],
  paywalls: [{ id: 'calm', externalId: 'calm_v1', name: 'Calm', remoteConfigs: null, products: [] }],
  models: [],
  placements: [{ id: 'onboarding', name: 'Onboarding', baseline: 'calm', model: null, stickyFor: null }],
  revision: 3,
};
export const replacedCatalog = {
  revision: 4,
  changes: [{ op: 'change', path: '/paywalls/calm/name', before: 'Calm', after: 'Calmer' }],
  warnings: ['Paywall "bold" is used by no placement and no model.'],
  ids: {
    paywalls: { calm: 12, bold: 13 },
    models: { main: 3 },
    products: { 'premium-monthly': 5 },
    paywallProducts: { 'calm/0': 7, 'bold/0': 8 },
  },
};
export const catalogRevision = { revision: 4, time, actor: 'ops' };

export const timelineEntry = {
  id: '0190a5b2-3e50-7b21-9d3f-5b7c8e9f0a12',
  type: 'paywall_shown',
  time,
  service: 'impression',
  data: { eventType: 'paywall_shown', paywallId: 12, placementId: 'onboarding' },
};
export const decision = {
  id: decisionId,
  time,
  placementId: 'onboarding',
  target: 'ai_model',
  paywallId: 12,
  externalId: 'calm_v1',
  isExperiment: true,
  aiPricingModelId: 3,
  modelVersion: 'uniform-1',
  catalogRevision: 4,
  fallback: null,
  superseded: false,
};
const path = [{ placementId: 'onboarding', target: 'ai_model', weight: 90 }];
export const explainedDecision = {
  ...decision,
  profileId,
  context: {
    country: 'DE',
    storeCountry: null,
    locale: 'de-DE',
    currency: null,
    device: 'Pixel 9',
    os: 'Android 16',
    osVersion: null,
    platform: 'android',
    appVersion: '1.4.0',
    appBuild: null,
    timezone: null,
    attributionSource: null,
    store: null,
    profileCreatedAt: 1_767_323_045_678,
    custom: { goal: 'sleep' },
  },
  path,
  candidates: [
    { paywallId: 12, externalId: 'calm_v1', score: 0, probability: 0.5 },
    { paywallId: 13, externalId: 'bold', score: 0, probability: 0.5 },
  ],
  probability: 0.5,
  seed: decisionId,
  latencyMs: 3,
  stickyTo: null,
  outcome: { shownAt: time, conversions: 1, revenueUsd: '11.4885' },
  sentence:
    'Placement "onboarding" drew its AI model (weight 90), and model version uniform-1 chose paywall "calm_v1" (12), ' +
    'one of 2 candidates, with probability 50%. Decided in 3 ms by catalog revision 4.',
};
const outcome = { paywallId: 12, externalId: 'calm_v1', probability: 0.5, path };
export const replayedDecision = {
  same: true,
  decisionId,
  catalogRevision: 4,
  modelVersion: 'uniform-1',
  recorded: outcome,
  replayed: outcome,
};
export const auditEntry = {
  id: '0190a5b3-4f61-7c32-8e40-6c8d9fa01b23',
  time,
  actor: 'ops',
  action: 'CatalogReplaced',
  appId: 1,
  before: { revision: 3 },
  after: { revision: 4 },
};
