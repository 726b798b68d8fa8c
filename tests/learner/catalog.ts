/** Models by placement: their logs are on several partitions, so that two learners have some each. */
export const modelOfPlacement: ReadonlyMap<string, string> = new Map(
  ['welcome', 'library', 'settings', 'export', 'streak', 'offer'].map((place) => [place, `${place}-ltv`]),
);

/** One subscription, shown in two ways wherever the app has a paywall. */
export const learningCatalog = {
  app: { bundleId: 'com.example' },
  accessLevels: [{ id: 'premium' }],
  products: [
    { id: 'pro', name: 'Pro', period: 'monthly', accessLevel: 'premium', appStore: { productId: 'pro.monthly' } },
  ],
  paywalls: ['calm', 'bold'].map((id) => ({ id, name: id, products: [{ product: 'pro' }] })),
  models: [...modelOfPlacement.values()].map((id) => ({
    id,
    name: id,
    candidates: ['calm', 'bold'],
    traffic: [
      { target: 'ai_model', weight: 90 },
      { target: 'baseline', weight: 10 },
    ],
  })),
  placements: [...modelOfPlacement].map(([id, model]) => ({ id, name: id, baseline: 'calm', model })),
};
