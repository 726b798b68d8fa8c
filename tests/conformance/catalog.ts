/** A catalog in which every way that traffic can take, and every kind of product, has a placement or a paywall. */
const all = (target: 'ai_model' | 'baseline') => [{ target, weight: 100 }];
const onwards = (placement: string) => [{ target: 'placement', placement, weight: 100 }];
const model = (id: string, traffic: object[], candidates = ['calm']) => ({ id, name: id, candidates, traffic });
const placement = (id: string, fields: object = {}) => ({ id, name: id, baseline: 'plain', model: id, ...fields });

const products = [
  {
    id: 'monthly',
    name: 'Premium monthly',
    period: 'monthly',
    accessLevel: 'premium',
    appStore: { productId: 'as.monthly' },
    playStore: { productId: 'ps-premium', basePlanId: 'ps-plan' },
    stripe: { productId: 'prod_1', priceId: 'price_1', trialPeriodDays: 7 },
    web2wave: { productId: 'w2w-1' },
    custom: { productId: 'c-1' },
  },
  {
    id: 'yearly',
    name: 'Premium yearly',
    period: 'yearly',
    accessLevel: 'premium',
    appStore: { productId: 'as.yearly' },
  },
  {
    id: 'coins',
    name: 'Coins',
    period: 'once',
    isConsumable: true,
    playStore: { productId: 'ps-coins', basePlanId: '' },
  },
  { id: 'web', name: 'On the web', period: 'monthly', web2wave: { productId: 'w2w-2' }, custom: { productId: 'c-2' } },
];

const paywalls = [
  {
    id: 'calm',
    externalId: 'calm_v1',
    name: 'Calm',
    remoteConfigs: '{"theme":"dark"}',
    products: [
      {
        product: 'monthly',
        appStore: {
          offerId: 'as-offer',
          offerType: 'promotional',
          promotionalOfferId: 'as-promo',
          winBackOfferId: 'as-back',
        },
        playStore: { offerId: 'ps-intro' },
      },
      { product: 'yearly' },
      { product: 'coins', playStore: { offerId: '' } },
      { product: 'web' },
    ],
  },
  {
    id: 'bold',
    name: 'Bold',
    products: [{ product: 'monthly' }, { product: 'monthly', playStore: { offerId: 'ps-intro' } }],
  },
  { id: 'plain', name: 'Plain', products: [] },
];

/** In `split` the paywall tells the target: calm is the AI target, plain Baseline, bold the Placement target. */
export const splitWeights = { calm: 6, plain: 3, bold: 1 } as const;

const models = [
  model('ai', all('ai_model'), ['calm', 'bold', 'plain']),
  model('calm-only', all('ai_model')),
  model('base', all('baseline')),
  model('split', [
    { target: 'ai_model', weight: splitWeights.calm },
    { target: 'baseline', weight: splitWeights.plain },
    { target: 'placement', placement: 'below', weight: splitWeights.bold },
  ]),
  model('via', onwards('calm-only')),
  model('sticky', [...all('ai_model'), ...all('baseline')], ['calm', 'bold']),
];

const placements = [
  placement('ai'),
  placement('calm-only'),
  placement('base', { baseline: 'bold' }),
  placement('plain', { baseline: 'calm', model: null }),
  placement('below', { baseline: 'bold', model: null }),
  placement('split'),
  placement('via'),
  placement('sticky', { stickyFor: 'P1D' }),
  placement('brief', { model: 'sticky', stickyFor: 'PT1S' }),
];

/** Without a circle: what a PUT takes as it is. */
export const soundCatalog = { accessLevels: [{ id: 'premium' }], products, paywalls, models, placements };

const circles = [
  ['circle-a', 'circle-b'],
  ['circle-b', 'circle-a'],
  ['circle-self', 'circle-self'],
  ['circle-entry', 'circle-a'],
] as const;

/** With circles of one and two placements, and an entry from outside: stored with `force=true` alone. */
export const wholeCatalog = {
  ...soundCatalog,
  models: [...models, ...circles.map(([from, to]) => model(from, onwards(to)))],
  placements: [...placements, ...circles.map(([from]) => placement(from))],
};
