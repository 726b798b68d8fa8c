import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KafkaTest } from '../testing/kafka-test.ts';
import { createTopics } from './create-topics.ts';
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

  it('says what differs, and changes nothing', async () => {
    const name = await test.topic(2, { 'retention.ms': '60000' });
    const config = { 'retention.ms': '-1', 'message.timestamp.type': 'LogAppendTime' };
    const manifest = { topics: [{ name, partitions: 3, config }] };
    const differences = [
      `${name}: partitions is 2, and the manifest has 3.`,
      `${name}: retention.ms is 60000, and the manifest has -1.`,
    ];

    const report = await createTopics(test.kafka, manifest, { replication });
    expect(report).toEqual({ created: [], differences });
    expect(await createTopics(test.kafka, manifest, { replication })).toEqual(report);
  }, 30_000);
});
