import { writeServiceConfig } from '@paywright/write-service/config';
import type { z } from 'zod';

/** The environment of the selection service. */
export const selectionConfig = writeServiceConfig;
export type SelectionConfig = z.output<typeof selectionConfig>;
