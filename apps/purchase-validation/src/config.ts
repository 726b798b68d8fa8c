import { masterKeyConfig } from '@paywright/platform';
import { storesConfig } from '@paywright/stores/settings';
import { writeServiceConfig } from '@paywright/write-service/config';
import { z } from 'zod';

const notLookUps = 'must be look-ups a second, 1 to 1000';

/** The environment of the purchase service. */
export const purchaseValidationConfig = writeServiceConfig.extend({
  ...masterKeyConfig,
  ...storesConfig,
  LOOK_UPS_PER_SECOND: z.coerce
    .number(notLookUps)
    .int(notLookUps)
    .min(1, notLookUps)
    .max(1_000, notLookUps)
    .default(25)
    .describe('Purchases of an app that this instance looks up at a store in a second of its own accord, at most'),
  FX_RATES_FILE: z
    .string()
    .transform((list) => list.split(',').map((file) => file.trim()))
    .pipe(z.array(z.string().min(1, 'must be files, comma separated')).min(1))
    .optional()
    .describe(
      'Files of reference exchange rates, comma separated, later ones win; else those of the repository, which grow old',
    ),
});
export type PurchaseValidationConfig = z.output<typeof purchaseValidationConfig>;
