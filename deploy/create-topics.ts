import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKafka, createTopics, TopicManifest } from '@paywright/messaging/topics';
import { createLogger, kafkaAddress, loadConfig } from '@paywright/platform';
import { topicsConfig } from './job-configs.ts';
import { findProjectRoot } from './migrate/database-schemas.ts';

/** The topics as deploy/topics.json has them. */
export const topicManifest = (): TopicManifest =>
  TopicManifest.parse(JSON.parse(readFileSync(join(findProjectRoot(), 'deploy', 'topics.json'), 'utf8')));

/**
 * Creates the topics of deploy/topics.json that are missing, on the brokers that the environment names.
 * @returns names of those created, and in a sentence each what of the others is not as the manifest has it
 */
export async function createTopicsOfManifest(env: NodeJS.ProcessEnv) {
  const config = loadConfig(topicsConfig, env);
  const logger = createLogger({ service: 'topics', level: 'error' });
  const connection = createKafka({ ...kafkaAddress(config), clientId: 'paywright-topics', logger });
  return createTopics(connection, topicManifest(), { replication: config.KAFKA_TOPIC_REPLICATION });
}
