import kafkajs, { type Admin } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { withAdmin } from '../connection/with-admin.ts';
import { makeTopics } from './make-topics.ts';
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

/** Creates the topics that are missing, and compares those that exist. Nothing that exists is changed. */
export async function createTopics(
  connection: KafkaConnection,
  { topics }: TopicManifest,
  { replication }: TopicOptions,
): Promise<TopicReport> {
  return withAdmin(connection, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter(({ name }) => !existing.has(name));
    if (missing.length > 0) await create(admin, missing, replication);
    const present = topics.filter(({ name }) => existing.has(name));
    return {
      created: missing.map(({ name }) => name),
      differences: await differencesOf(admin, present, replication),
    };
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

async function differencesOf(admin: Admin, specs: readonly TopicSpec[], replication: number): Promise<string[]> {
  if (specs.length === 0) return [];
  const { topics } = await admin.fetchTopicMetadata({ topics: specs.map(({ name }) => name) });
  const partitionsOf = new Map(topics.map(({ name, partitions }) => [name, partitions]));
  const configs = await configsOf(admin, specs);
  return specs.flatMap((spec) => {
    const partitions = partitionsOf.get(spec.name) ?? [];
    return [
      ...difference(spec.name, 'partitions', String(partitions.length), String(spec.partitions)),
      ...difference(spec.name, 'replicas', String(partitions[0]?.replicas.length), String(replication)),
      ...Object.entries(configOf(spec, replication)).flatMap(([name, wanted]) =>
        difference(spec.name, name, configs.get(spec.name)?.get(name) ?? 'nothing', wanted),
      ),
    ];
  });
}

async function configsOf(admin: Admin, specs: readonly TopicSpec[]): Promise<Map<string, Map<string, string>>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: specs.map(({ name }) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  return new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]),
  );
}

const difference = (topic: string, what: string, found: string, wanted: string): string[] =>
  found === wanted ? [] : [`${topic}: ${what} is ${found}, and the manifest has ${wanted}.`];
