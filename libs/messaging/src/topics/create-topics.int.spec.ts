import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { withAdmin } from '../connection/with-admin.ts';
import { KafkaTest } from '../testing/kafka-test.ts';
import { createTopics } from './create-topics.ts';
import { HarmfulTopics } from './topic-differences.ts';
import { TopicManifest } from './topic-manifest.ts';

const replication = 1;

describe('createTopics on a real broker', () => {
  let test: KafkaTest;
  beforeAll(() => {
    test = new KafkaTest();
  });
  afterAll(() => test.close());

  /** The product's own manifest, under names of the test's own. */
  function productManifest(): TopicManifest {
    const path = join(import.meta.dirname, '../../../../deploy/topics.json');
    const { topics } = TopicManifest.parse(JSON.parse(readFileSync(path, 'utf8')));
    return { topics: topics.map((topic) => ({ ...topic, name: `${topic.name}-${randomUUID()}` })) };
  }

  it('creates the topics of the product as the manifest has them, and finds them so', async () => {
    const manifest = productManifest();
    const names = manifest.topics.map(({ name }) => name);
    names.forEach((name) => test.deletingTopic(name));

    expect(await createTopics(test.kafka, manifest, { replication })).toEqual({ created: names, differences: [] });
    expect(await createTopics(test.kafka, manifest, { replication })).toEqual({ created: [], differences: [] });
  }, 60_000);

  it('asks again where a broker does not answer in time, as a busy one may have created them', async () => {
    const name = `test-${randomUUID()}`;
    test.deletingTopic(name);
    const proxy = await test.brokerProxy();
    proxy.swallowNextCreateTopicsResponse();
    const manifest = { topics: [{ name, partitions: 1, config: { 'retention.ms': '-1' } }] };
    const created = createTopics(test.connection(proxy.socketFactory), manifest, { replication });
    expect(await created).toEqual({ created: [name], differences: [] });
    expect(proxy.swallowed).toBe(1);
  }, 60_000);

  it('says what differs and does no harm, and changes nothing', async () => {
    const name = await test.topic(2, { 'retention.ms': '-1', 'min.insync.replicas': '1' });
    const manifest = { topics: [{ name, partitions: 3, config: { 'retention.ms': '60000' } }] };
    const differences = [
      `${name}: partitions is 2, and the manifest has 3.`,
      `${name}: retention.ms is -1, and the manifest has 60000.`,
    ];

    const report = await createTopics(test.kafka, manifest, { replication });
    expect(report).toEqual({ created: [], differences });
    expect(await createTopics(test.kafka, manifest, { replication })).toEqual(report);
  }, 30_000);

  it('refuses what loses records or takes none, before it creates anything, until it is mended as it says', async () => {
    const config = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'max.message.bytes': '2097152' };
    const harmful = await test.topic(1, {
      ...{ 'cleanup.policy': 'compact', 'retention.ms': '60000', 'max.message.bytes': '1000000' },
      ...{ 'min.insync.replicas': '2', 'unclean.leader.election.enable': 'true' },
      'compression.type': 'lz4',
    });
    const bounded = await test.topic(1, { 'retention.bytes': '1000000' });
    const missing = `test-${randomUUID()}`;
    const manifest = {
      topics: [
        { name: missing, partitions: 1, config },
        { name: harmful, partitions: 1, config },
        { name: bounded, partitions: 1, config: { 'retention.bytes': '-1' } },
      ],
    };
    const create = () => createTopics(test.kafka, manifest, { replication });

    const refusal: unknown = await create().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(HarmfulTopics);
    const { message } = refusal as HarmfulTopics;
    for (const line of [
      `${harmful}: cleanup.policy is compact, and must be delete`,
      `${harmful}: retention.ms is 60000, and must be -1`,
      `${harmful}: max.message.bytes is 1000000, and must be 2097152`,
      `${harmful}: min.insync.replicas is 2, and must be 1`,
      `${harmful}: unclean.leader.election.enable is true, and must be false`,
      `${harmful}: compression.type is lz4, and must be producer`,
      `${bounded}: retention.bytes is 1000000, and must be -1`,
    ])
      expect(message).toContain(line);
    await withAdmin(test.kafka, async (admin) => {
      expect(await admin.listTopics()).not.toContain(missing);
      await admin.alterConfigs({ validateOnly: false, resources: mendingOf(message) });
    });

    test.deletingTopic(missing);
    expect(await create()).toEqual({ created: [missing], differences: [] });
  }, 30_000);
});

/** What the commands in a refusal do. */
function mendingOf(message: string) {
  const commands = message.matchAll(/--entity-name (?<name>\S+) --add-config (?<settings>\S+)$/gm);
  return Array.from(commands, ({ groups: { name = '', settings = '' } = {} }) => ({
    type: kafkajs.ConfigResourceTypes.TOPIC,
    name,
    configEntries: settings.split(',').map((setting) => {
      const [name = '', value = ''] = setting.split('=');
      return { name, value };
    }),
  }));
}
