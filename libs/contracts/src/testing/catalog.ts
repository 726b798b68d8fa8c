import fc from 'fast-check';
import { CatalogDocument } from '../catalog/catalog-document.ts';

/** A small catalog that has everything: two paywalls, a model over both, traffic to another placement. As a client sends it. */
export const exampleCatalogJson = {
  app: { bundleId: 'com.example.app', packageName: 'com.example.app' },
  accessLevels: [{ id: 'premium' }],
  products: [
    {
      id: 'premium-monthly',
      name: 'Premium monthly',
      period: 'monthly',
      accessLevel: 'premium',
      appStore: { productId: 'premium.monthly' },
      playStore: { productId: 'premium', basePlanId: 'monthly' },
      stripe: { productId: 'prod_1', priceId: 'price_1', trialPeriodDays: 7 },
    },
  ],
  paywalls: [
    { id: 'calm', externalId: 'calm_v1', name: 'Calm', products: [{ product: 'premium-monthly' }] },
    {
      id: 'bold',
      name: 'Bold',
      products: [{ product: 'premium-monthly', playStore: { offerId: 'intro' } }],
    },
  ],
  models: [
    {
      id: 'main',
      name: 'Main',
      candidates: ['calm', 'bold'],
      traffic: [
        { target: 'ai_model', weight: 90 },
        { target: 'baseline', weight: 8 },
        { target: 'placement', placement: 'settings', weight: 2 },
      ],
    },
  ],
  placements: [
    { id: 'onboarding', name: 'Onboarding', baseline: 'calm', model: 'main' },
    { id: 'settings', name: 'Settings', baseline: 'calm' },
  ],
} as const;

/** The same, as it is stored: with every default. */
export const exampleCatalog: CatalogDocument = CatalogDocument.parse(exampleCatalogJson);

const few = { maxLength: 4 } as const;
const label = fc.constantFrom('One', 'Two', 'Three');

/** Few ids, so that documents share some: also those that plain objects already have as a property. */
const id = fc.constantFrom('a', 'b', 'c', 'constructor', 'toString', '0');
const ids = fc.uniqueArray(id, few);

const attachments = (products: readonly string[]) =>
  products.length === 0
    ? fc.constant([])
    : fc.array(
        fc.record({
          product: fc.constantFrom(...products),
          playStore: fc.constantFrom(null, { offerId: null }, { offerId: '' }, { offerId: 'intro' }),
          appStore: fc.constantFrom(null, { offerId: 'x', offerType: 'free_trial' }),
        }),
        few,
      );

const product = (productId: string, accessLevels: readonly string[]) =>
  fc.record({
    id: fc.constant(productId),
    name: label,
    period: fc.constantFrom('monthly', 'yearly'),
    accessLevel: fc.constantFrom(null, ...accessLevels),
    stripe: fc.constantFrom(null, { productId: 'prod', priceId: 'price' }),
  });

const model = (modelId: string, paywalls: readonly [string, ...string[]], placements: readonly string[]) =>
  fc.record({
    id: fc.constant(modelId),
    name: label,
    candidates: fc.uniqueArray(fc.constantFrom(...paywalls), { minLength: 1, maxLength: 3 }),
    traffic: fc.array(
      fc.oneof(
        fc.record({ target: fc.constantFrom('ai_model', 'baseline'), weight: fc.integer({ min: 1, max: 100 }) }),
        ...placements.map((placement) => fc.constant({ target: 'placement', placement, weight: 1 })),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  });

const placement = (placementId: string, paywalls: readonly [string, ...string[]], models: readonly string[]) =>
  fc.record({
    id: fc.constant(placementId),
    name: label,
    baseline: fc.constantFrom(...paywalls),
    model: fc.constantFrom(null, ...models),
    stickyFor: fc.constantFrom(null, 'P7D'),
  });

/** Catalogs whose every name is defined, circular allocations included; ids recur from one to the next. */
export const catalogDocuments: fc.Arbitrary<CatalogDocument> = fc
  .record({ accessLevels: ids, products: ids, paywalls: ids, models: ids, placements: ids })
  .chain((names) => {
    const [first, ...others] = names.paywalls;
    const shown = first === undefined ? null : ([first, ...others] as const);
    const models = shown ? names.models : [];
    const placements = shown ? names.placements : [];
    return fc.record({
      accessLevels: fc.constant(names.accessLevels.map((accessLevel) => ({ id: accessLevel }))),
      products: fc.tuple(...names.products.map((productId) => product(productId, names.accessLevels))),
      paywalls: fc.tuple(
        ...names.paywalls.map((paywallId) =>
          fc.record({
            id: fc.constant(paywallId),
            name: label,
            remoteConfigs: fc.constantFrom(null, '{}'),
            products: attachments(names.products),
          }),
        ),
      ),
      models: fc.tuple(...models.map((modelId) => model(modelId, shown ?? [modelId], placements))),
      placements: fc.tuple(...placements.map((placementId) => placement(placementId, shown ?? [placementId], models))),
    });
  })
  .map((json) => CatalogDocument.parse(json));
