import { expect, it } from '@jest/globals';
import { AppSnapshot } from '@paywright/contracts';
import { LearnerCatalogs } from './learner-catalogs.ts';

const product = { id: 'gold', name: 'Gold', period: 'monthly', accessLevel: 'premium' };
const told = (version: number, more: object = {}) =>
  AppSnapshot.parse({
    ...{ appId: 1, version, name: 'Demo', createdAt: 0, keys: [], revision: 1, document: {}, paywallRevisions: {} },
    ids: { paywalls: {}, models: {}, products: {}, paywallProducts: {} },
    ...more,
  });

it('knows what an app sold before as the newest edition tells it, under the same revision too', () => {
  const catalogs = new LearnerCatalogs();
  const sold = () => catalogs.productsOf(1).archived.map(({ id }) => id);
  catalogs.apply(told(3));
  catalogs.apply(told(3, { edition: 1, archivedProducts: [product] }));
  expect(sold()).toEqual(['gold']);
  catalogs.apply(told(3));
  expect(sold()).toEqual(['gold']);
});
