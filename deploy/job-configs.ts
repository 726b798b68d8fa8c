import { databaseConfig, kafkaConfig, serviceConfig } from '@paywright/platform';
import { z } from 'zod';

const secretsDir = z.string().describe('Folder of the secrets that are made at the first start');

/** The environment of what creates topics. */
export const topicsConfig = z.object({
  ...kafkaConfig,
  KAFKA_TOPIC_REPLICATION: z.coerce
    .number('must be a count')
    .int('must be a count')
    .min(1, 'must be at least 1')
    .default(1)
    .describe('Replicas of each topic that is created'),
});

/** The environment of the job `prepare`. */
export const prepareConfig = z.object({
  ...databaseConfig,
  ...topicsConfig.shape,
  NODE_ENV: serviceConfig.NODE_ENV,
  PLAINTEXT_HOSTS: serviceConfig.PLAINTEXT_HOSTS,
  SECRETS_DIR: secretsDir.optional(),
});

/** The environment of the job `demo`. */
export const demoConfig = z.object({
  GATEWAY_URL: z.url().describe('The gateway'),
  GATEWAY_PUBLIC_URL: z.url().describe('The gateway, as a person reaches it'),
  SECRETS_DIR: secretsDir,
});
