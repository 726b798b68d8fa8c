import { masterKeyConfig } from '@paywright/platform';
import { storesConfig } from '@paywright/stores';
import { writeServiceConfig } from '@paywright/write-service';
import { z } from 'zod';

/** The environment of the purchase service. */
export const purchaseValidationConfig = writeServiceConfig.extend({
  ...masterKeyConfig,
  ...storesConfig,
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
