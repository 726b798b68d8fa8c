import { serviceConfig } from '@paywright/platform';
import { z } from 'zod';

/** The environment of the store simulator, which is never for production. */
export const simulatorConfig = z.object({
  ...serviceConfig,
  SIMULATOR_HOST: z.string().default('127.0.0.1').describe('Address of the simulated stores'),
  SIMULATOR_PORT: z.coerce
    .number('must be a port')
    .int('must be a port')
    .min(0, 'must be a port')
    .max(65_535, 'must be a port')
    .default(0)
    .describe('Port of the simulated stores; 0 takes the one that it had before or, if that is taken, a free one'),
  SIMULATOR_DATA_DIR: z.string().default('.data/simulator').describe('Where the simulated stores keep what they know'),
});
