import { databaseConfig, kafkaConfig, serviceConfig, tracingConfig } from '@paywright/platform';
import { z } from 'zod';

/** The environment of the learner. */
export const learnerConfig = z.object({ ...serviceConfig, ...databaseConfig, ...kafkaConfig, ...tracingConfig });
export type LearnerConfig = z.output<typeof learnerConfig>;
