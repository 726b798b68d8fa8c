import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKafka, createTopics, TopicManifest, type KafkaConnection } from '@paywright/messaging/topics';
import { createLogger, kafkaAddress, loadConfig } from '@paywright/platform';
import { topicsConfig } from './job-configs.ts';
import { findProjectRoot } from './migrate/database-schemas.ts';

/** The topics as deploy/topics.json has them. */
export const topicManifest = (): TopicManifest =>
  TopicManifest.parse(JSON.parse(readFileSync(join(findProjectRoot(), 'deploy', 'topics.json'), 'utf8')));

/** The brokers that the environment names. */
export function connectKafka(env: NodeJS.ProcessEnv): KafkaConnection {
  const logger = createLogger({ service: 'topics', level: 'error' });
  return createKafka({ ...kafkaAddress(loadConfig(topicsConfig, env)), clientId: 'paywright-topics', logger });
}

/**
 * Creates the topics of deploy/topics.json that are missing, on the brokers that the environment names.
 * @returns names of those created, and in a sentence each what of the others is not as the manifest has it
 * @throws HarmfulTopics if others lose records or take none as they are set
 */
export async function createTopicsOfManifest(env: NodeJS.ProcessEnv) {
  const { KAFKA_TOPIC_REPLICATION: replication } = loadConfig(topicsConfig, env);
  return createTopics(connectKafka(env), topicManifest(), { replication });
}
