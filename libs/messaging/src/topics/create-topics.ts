import kafkajs, { type Admin } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { withAdmin } from '../connection/with-admin.ts';
import { makeTopics } from './make-topics.ts';
import {
  describeDifference,
  differencesOf,
  HarmfulTopics,
  type FoundTopic,
  type TopicDifference,
} from './topic-differences.ts';
import { configOf, type TopicManifest, type TopicSpec } from './topic-manifest.ts';

export interface TopicReport {
  readonly created: readonly string[];
  /** One sentence each: what a topic has, and what the manifest wants. They are changed by hand. */
  readonly differences: readonly string[];
}

export interface TopicOptions {
  /** Replicas of each partition. 1 on a single node, 3 in production. */
  readonly replication: number;
}

/**
 * Compares the topics that exist, and creates those that are missing. Nothing that exists is changed.
 * @throws HarmfulTopics, before anything is created, if one that exists loses records or takes none as it is set
 */
export async function createTopics(
  connection: KafkaConnection,
  { topics }: TopicManifest,
  { replication }: TopicOptions,
): Promise<TopicReport> {
  return withAdmin(connection, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const present = topics.filter(({ name }) => existing.has(name));
    const differences = await compare(admin, present, replication);
    const harmful = differences.filter(({ harm }) => harm !== null);
    if (harmful.length > 0) throw new HarmfulTopics(harmful);
    const missing = topics.filter(({ name }) => !existing.has(name));
    if (missing.length > 0) await create(admin, missing, replication);
    return { created: missing.map(({ name }) => name), differences: differences.map(describeDifference) };
  });
}

const create = (admin: Admin, specs: readonly TopicSpec[], replication: number): Promise<void> =>
  makeTopics(
    admin,
    specs.map((spec) => ({
      topic: spec.name,
      numPartitions: spec.partitions,
      replicationFactor: replication,
      configEntries: Object.entries(configOf(spec, replication)).map(([name, value]) => ({ name, value })),
    })),
  );

async function compare(
  admin: Admin,
  specs: readonly TopicSpec[],
  replication: number,
): Promise<readonly TopicDifference[]> {
  if (specs.length === 0) return [];
  const found = await findTopics(
    admin,
    specs.map(({ name }) => name),
  );
  return specs.flatMap((spec) => differencesOf(spec, found(spec.name), replication));
}

async function findTopics(admin: Admin, names: string[]): Promise<(name: string) => FoundTopic> {
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  const partitionsOf = new Map(topics.map(({ name, partitions }) => [name, partitions]));
  const configs = await configsOf(admin, names);
  return (name) => {
    const partitions = partitionsOf.get(name) ?? [];
    return {
      partitions: partitions.length,
      replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
      config: configs.get(name) ?? new Map(),
    };
  };
}

async function configsOf(admin: Admin, names: readonly string[]): Promise<Map<string, Map<string, string>>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  return new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]),
  );
}
