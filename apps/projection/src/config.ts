import { databaseConfig, kafkaConfig, serviceConfig, tracingConfig } from '@paywright/platform';
import { z } from 'zod';

/** The environment of the projection. */
export const projectionConfig = z.object({ ...serviceConfig, ...databaseConfig, ...kafkaConfig, ...tracingConfig });
export type ProjectionConfig = z.output<typeof projectionConfig>;
