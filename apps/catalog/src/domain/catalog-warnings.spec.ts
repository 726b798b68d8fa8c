import { describe, expect, it } from '@jest/globals';
import type { CatalogDocument } from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import { catalogWarnings, removalWarnings } from './catalog-warnings.ts';
import { changed } from './testing/app-messages.ts';

const [monthly] = exampleCatalog.products as [CatalogDocument['products'][number]];
const [calm, bold] = exampleCatalog.paywalls as [
  CatalogDocument['paywalls'][number],
  CatalogDocument['paywalls'][number],
];
const [main] = exampleCatalog.models as [CatalogDocument['models'][number]];
const [onboarding, settings] = exampleCatalog.placements as [
  CatalogDocument['placements'][number],
  CatalogDocument['placements'][number],
];
const traffic = (...entries: CatalogDocument['models'][number]['traffic']) => ({
  models: [{ ...main, traffic: entries }],
});
const nowhere = { appStore: null, playStore: null, stripe: null };

describe('catalogWarnings', () => {
  it('has nothing to say of a sound catalog', () => expect(catalogWarnings(exampleCatalog)).toEqual([]));

  it.each<[string, Partial<CatalogDocument>]>([
    ['Access level "gold" is granted by no product.', { accessLevels: [{ id: 'premium' }, { id: 'gold' }] }],
    [
      'Product "gift" is sold in no store.',
      {
        products: [monthly, { ...monthly, ...nowhere, id: 'gift' }],
        paywalls: [
          calm,
          { ...bold, products: [...bold.products, { product: 'gift', appStore: null, playStore: null }] },
        ],
      },
    ],
    [
      'Product "gift" is on no paywall.',
      { products: [monthly, { ...monthly, ...nowhere, id: 'gift', custom: { productId: 'g' } }] },
    ],
    [
      'Product "premium-monthly" is sold in the App Store, but app.bundleId is not set.',
      { app: { ...exampleCatalog.app, bundleId: null } },
    ],
    [
      'Product "premium-monthly" is sold in the Play Store, but app.packageName is not set.',
      { app: { ...exampleCatalog.app, packageName: null } },
    ],
    [
      'Products "premium-monthly", "twin" are all the Stripe price price_1.',
      {
        products: [monthly, { ...monthly, ...nowhere, stripe: monthly.stripe, id: 'twin' }],
        paywalls: [
          calm,
          { ...bold, products: [...bold.products, { product: 'twin', appStore: null, playStore: null }] },
        ],
      },
    ],
    [
      'Paywall "loud" is used by no placement and no model.',
      { paywalls: [calm, bold, { ...bold, id: 'loud', externalId: 'loud' }] },
    ],
    [
      'Paywalls "calm", "bold" all have the external id "calm_v1", by which apps and reports tell paywalls apart.',
      { paywalls: [calm, { ...bold, externalId: calm.externalId }] },
    ],
    [
      'Paywall "bold" sells no product, so no choice of it earns anything.',
      { paywalls: [calm, { ...bold, products: [] }] },
    ],
    [
      'Paywall "bold" has a Play Store offer for product "premium-monthly", which is not sold there.',
      { products: [{ ...monthly, playStore: null }] },
    ],
    ['Model "main" is used by no placement.', { placements: [{ ...onboarding, model: null }, settings] }],
    [
      'Model "main" has one candidate, so its AI has nothing to choose from.',
      { models: [{ ...main, candidates: ['calm'] }], placements: [onboarding, { ...settings, baseline: 'bold' }] },
    ],
    ['Model "main" never chooses: none of its traffic goes to ai_model.', traffic({ target: 'baseline', weight: 1 })],
    [
      'Model "main" has no guard: none of its traffic goes to baseline, so its AI is compared with nothing.',
      traffic({ target: 'ai_model', weight: 90 }, { target: 'placement', placement: 'settings', weight: 10 }),
    ],
    [
      'The weights of model "main" add up to 99, not to 100: each counts as its share of that.',
      traffic({ target: 'ai_model', weight: 90 }, { target: 'baseline', weight: 9 }),
    ],
    [
      'Model "main" lists some target more than once: its weights add up.',
      traffic({ target: 'ai_model', weight: 1 }, { target: 'ai_model', weight: 2 }, { target: 'baseline', weight: 1 }),
    ],
    [
      'Circular placement allocation detected: onboarding -> onboarding. Requests that are drawn into it are answered with 422.',
      traffic(
        { target: 'ai_model', weight: 1 },
        { target: 'baseline', weight: 1 },
        { target: 'placement', placement: 'onboarding', weight: 1 },
      ),
    ],
  ])('says: %s', (warning, change) => expect(catalogWarnings(changed(change))).toEqual([warning]));
});

describe('removalWarnings', () => {
  const former = changed({ app: { ...exampleCatalog.app, bundleId: 'com.a', packageName: 'com.b' } });

  it('has nothing to say of what stays, or comes', () => {
    expect(removalWarnings(former, { ...former, paywalls: [calm] })).toEqual([]);
    expect(removalWarnings({ ...former, placements: [] }, former)).toEqual([]);
    expect(removalWarnings({ ...former, app: { ...former.app, bundleId: null } }, former)).toEqual([]);
  });

  it('tells who is refused from then on', () => {
    const app = { ...former.app, bundleId: null, packageName: 'com.c' };
    expect(removalWarnings(former, { ...former, app, placements: [onboarding] })).toEqual([
      'app.bundleId was com.a: purchases and notifications of that are refused from then on.',
      'app.packageName was com.b: purchases and notifications of that are refused from then on.',
      'Placement "settings" is removed: whoever asks for it is answered with 404.',
    ]);
  });
});
