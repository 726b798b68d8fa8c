import { z } from 'zod';

const integers = z.record(z.string(), z.int());

/** The REST API's integers of the objects of a revision. */
export const CatalogIds = z.object({
  paywalls: integers.describe('By id of the paywall'),
  models: integers.describe('By id of the model'),
  products: integers.describe('By id of the product'),
  paywallProducts: integers.describe('By paywall and position'),
});
export type CatalogIds = z.output<typeof CatalogIds>;
