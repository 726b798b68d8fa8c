import { databaseConfig, kafkaConfig, serviceConfig, tracingConfig } from '@paywright/platform';
import { z } from 'zod';

/** The environment of a write service; one that needs more extends it. */
export const writeServiceConfig = z.object({ ...serviceConfig, ...databaseConfig, ...kafkaConfig, ...tracingConfig });
export type WriteServiceConfig = z.output<typeof writeServiceConfig>;
