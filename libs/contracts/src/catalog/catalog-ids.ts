import { z } from 'zod';

const integers = z.record(z.string(), z.int());

/** The REST API's integers of the objects of a revision. Paywall products are keyed by paywall and position. */
export const CatalogIds = z.object({
  paywalls: integers,
  models: integers,
  products: integers,
  paywallProducts: integers,
});
export type CatalogIds = z.output<typeof CatalogIds>;
