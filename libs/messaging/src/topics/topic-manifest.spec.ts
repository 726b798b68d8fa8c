import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { deadLetterTopic, groups, topics } from '@paywright/contracts';
import { eventTopicOf, mostEventBytesOf, services } from '../services.ts';
import { configOf, TopicManifest } from './topic-manifest.ts';

const path = join(import.meta.dirname, '../../../../deploy/topics.json');
const manifest = TopicManifest.parse(JSON.parse(readFileSync(path, 'utf8')));
const topicNamed = (name: string) => manifest.topics.find((topic) => topic.name === name);

describe('deploy/topics.json', () => {
  it('has every topic of the contracts and the dead letters of every group, once', () => {
    const wanted = [...Object.values(topics), ...Object.values(groups).map(deadLetterTopic)];
    expect(manifest.topics.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
  });

  it.each([...Object.values(topics).filter((name) => name.endsWith('.events')), topics.selectionLearning])(
    'keeps %s for ever',
    (name) => {
      const forEver = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };
      expect(topicNamed(name)?.config).toMatchObject(forEver);
    },
  );

  it.each([topics.profilePersonal, topics.catalogSnapshots, topics.selectionModels])(
    'keeps the last record of each key of %s',
    (name) => {
      expect(topicNamed(name)?.config).toMatchObject({ 'cleanup.policy': 'compact' });
    },
  );

  // The open segment is not compacted, and is read with the rest at each start: Kafka's own are of 1 GiB.
  it.each([topics.catalogSnapshots, topics.selectionModels])('compacts %s of 64 MiB on', (name) => {
    expect(topicNamed(name)?.config).toMatchObject({ 'segment.bytes': String(64 * 1024 * 1024) });
  });

  it('gives a service as many partitions for its events as for its commands', () => {
    for (const service of ['profile', 'catalog', 'selection', 'impression', 'purchase'])
      expect(topicNamed(`${service}.events`)?.partitions).toBe(topicNamed(`${service}.commands`)?.partitions);
  });

  it.each(services)('takes every event that %s may append, with what is around it', (service) => {
    const most = Number(topicNamed(eventTopicOf[service])?.config['max.message.bytes']);
    expect(most - mostEventBytesOf[service]).toBe(64 * 1024);
  });

  it.each(
    manifest.topics.filter(
      ({ name }) => /^[a-z-]+\.(commands|requests)$/.test(name) && !name.startsWith('dead-letter'),
    ),
  )('keeps $name for less long than inboxes know commands, a quiet partition’s open segment included', ({ config }) => {
    const keptMs = Number(config['retention.ms']) + Number(config['segment.ms']);
    expect(keptMs).toBeLessThan(7 * 86_400_000);
  });

  it('lets the broker’s clock stamp every record', () => {
    for (const { config } of manifest.topics)
      expect(config).toMatchObject({ 'message.timestamp.type': 'LogAppendTime' });
  });
});

describe('configOf', () => {
  it('leaves records as they were sent, whatever the brokers do by default, where the manifest does not say otherwise', () => {
    const compressionOf = (config: Record<string, string>) =>
      configOf({ name: 't', partitions: 1, config }, 1)['compression.type'];
    expect(compressionOf({})).toBe('producer');
    expect(compressionOf({ 'compression.type': 'zstd' })).toBe('zstd');
  });

  it.each([
    [1, '1'],
    [3, '2'],
  ])('asks of %i replicas that %s are in sync', (replication, inSync) => {
    const config = configOf({ name: 't', partitions: 1, config: { a: 'b' } }, replication);
    const asked = { 'min.insync.replicas': inSync, 'unclean.leader.election.enable': 'false' };
    expect(config).toEqual({ a: 'b', 'compression.type': 'producer', ...asked });
  });
});
