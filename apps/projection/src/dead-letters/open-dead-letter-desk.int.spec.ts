import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deadLetterTopic, DiscardDeadLetter, groups, RetryDeadLetter, topics } from '@paywright/contracts';
import {
  CoalescingProducer,
  CommandClient,
  createKafka,
  deadLettersOfCommands,
  noFailpoint,
} from '@paywright/messaging';
import { createTopics, TopicManifest } from '@paywright/messaging/topics';
import { createLogger, Metrics } from '@paywright/platform';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { allProjections } from '../projections.ts';
import { profileA } from '../testing/event-log.ts';
import { clock } from '../testing/read-model.ts';
import { letterTopics } from './take-letters.ts';
import { openDeadLetterDesk, type OpenDeadLetterDesk } from './open-dead-letter-desk.ts';

const manifestPath = join(import.meta.dirname, '../../../../deploy/topics.json');

const logger = createLogger({ service: 'test', level: 'error' });
const metrics = new Metrics();
const kafka = createKafka({
  brokers: (process.env['TEST_KAFKA_BROKERS'] ?? '').split(','),
  ssl: false,
  sasl: null,
  clientId: 'test',
  logger,
});
const producer = new CoalescingProducer({ kafka, metrics });
const commands = new CommandClient({ kafka, producer, instance: 0, clock, metrics });

let database: TestDatabase;
let desk: OpenDeadLetterDesk;
beforeAll(async () => {
  database = await testDatabase('read-model');
  const names = new Set<string>([
    topics.deadLetterCommands,
    topics.gatewayReplies,
    topics.profileCommands,
    ...letterTopics,
  ]);
  const manifest = TopicManifest.parse(JSON.parse(readFileSync(manifestPath, 'utf8')));
  // As they are in production: the broker is also other tests'.
  const needed = manifest.topics.filter(({ name }) => names.has(name));
  await createTopics(kafka, { topics: needed }, { replication: 1 });
  await producer.connect();
  await commands.start();
  const projections = allProjections(new Set());
  const parts = { kafka, producer, projections, clock, logger, metrics, failpoint: noFailpoint };
  desk = openDeadLetterDesk({ ...parts, pool: database.pool });
  await desk.start();
});
afterAll(async () => {
  await desk.stop();
  await commands.stop();
  await producer.close();
  await database[Symbol.asyncDispose]();
});

async function untilLetter(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { rows } = await database.pool.query<{ id: number }>('select seq::int as id from dead_letter');
    if (rows[0]) return rows[0].id;
    await delay(50);
  }
  throw new Error('The dead letter was not kept.');
}

it('keeps what any group publishes, counts it, and answers the gateway that asks for an action', async () => {
  const headers = { id: randomUUID(), type: 'SaveProfile', version: '1', app: '7' };
  const place = { topic: topics.profileCommands, partition: 0, offset: '0', timestamp: 0 };
  const message = { ...place, key: profileA, headers, value: Buffer.from('{}') };
  expect(letterTopics).toContain(deadLetterTopic(groups.profile));
  expect(letterTopics).not.toContain(deadLetterTopic(groups.projection));
  await producer.send(deadLettersOfCommands(groups.profile)({ message, reason: 'a defect' }));
  const id = await untilLetter();
  expect(desk.check.ready()).toBe(true);

  const asked = (definition: typeof RetryDeadLetter | typeof DiscardDeadLetter) =>
    commands.send(definition, {
      id: randomUUID(),
      appId: 0,
      key: String(id),
      body: { actor: 'ops', deadLetterId: id },
      deadlineMs: 20_000,
    });
  // Nothing is in profile.commands: it is as if its retention were over.
  expect(await asked(RetryDeadLetter)).toMatchObject({ refusal: { code: 'DEAD_LETTER_NOT_RETRIABLE' } });
  expect(await metrics.text()).toContain('paywright_dead_letters_open{group="profile"} 1');
  expect(await asked(DiscardDeadLetter)).toMatchObject({ status: 'accepted', body: { id, status: 'discarded' } });
  expect(await asked(DiscardDeadLetter)).toMatchObject({ refusal: { code: 'DEAD_LETTER_SETTLED' } });
  expect(await metrics.text()).toContain('paywright_dead_letters_open{group="profile"} 0');
});
