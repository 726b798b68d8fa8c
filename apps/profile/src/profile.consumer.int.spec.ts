import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Command, EraseProfile, SaveProfile, SetCustomAttributes, topics } from '@paywright/contracts';
import { createCommandProcessor, PostgresEventStore } from '@paywright/event-sourcing';
import { commandFor, type EventStoreDatabase, eventStoreDatabase } from '@paywright/event-sourcing/testing';
import { BrokerTime, type BatchResult, type OutgoingMessage, type ReceivedMessage } from '@paywright/messaging';
import { SystemClock } from '@paywright/platform';
import { createCommandBatchHandler } from '@paywright/write-service';
import { profileDecider } from './domain/profile.ts';
import { ProfileConsumer } from './profile.consumer.ts';

let database: EventStoreDatabase;
beforeAll(async () => {
  database = await eventStoreDatabase('profile');
});
afterAll(async () => database[Symbol.asyncDispose]());

const clock = new SystemClock();

/** The service without Kafka; each has its own memory, as each instance has. */
function instance(): ProfileConsumer {
  const process = createCommandProcessor({ decider: profileDecider, store: new PostgresEventStore(database.pool) });
  const brokerTime = new BrokerTime(clock);
  return new ProfileConsumer(
    createCommandBatchHandler({ service: 'profile', topic: topics.profileCommands, process, brokerTime }),
  );
}

function messageOf({ id, type, version, appId, key, issuedAt, body }: Command): ReceivedMessage {
  const headers = {
    id,
    type,
    version: String(version),
    app: String(appId),
    'issued-at': String(issuedAt),
    deadline: String(issuedAt + 5_000),
    'reply-partition': '5',
  };
  const place = { topic: topics.profileCommands, partition: 0, offset: '7', timestamp: issuedAt };
  return { ...place, key, headers, value: Buffer.from(JSON.stringify(body)) };
}

const save = (key: string, body: Partial<SaveProfile['body']>) =>
  commandFor(SaveProfile, { key, issuedAt: clock.now(), body: { fields: {}, personal: {}, ...body } });
const setGoal = (key: string, value: string) =>
  commandFor(SetCustomAttributes, {
    key,
    issuedAt: clock.now(),
    body: { attributes: [{ id: randomUUID(), key: 'goal', value }] },
  });

const repliesOf = ({ publish }: BatchResult) => publish.filter(({ topic }) => topic === topics.gatewayReplies);
/** Without the order of the members of JSON objects, which the event table does not keep. */
const parsed = (record: OutgoingMessage) => ({ ...record, value: JSON.parse(String(record.value)) });

describe('profile service', () => {
  it('answers a redelivered batch with the same replies, byte for byte, and the same events, from any instance', async () => {
    const key = randomUUID();
    const batch = [
      save(key, { fields: { country: 'DE' }, personal: { email: 'sentinel@example.org' } }),
      setGoal(key, 'sleep'),
      setGoal(randomUUID(), 'of an unknown profile'),
    ].map(messageOf);
    const one = instance();

    const first = await one.handle(batch);

    expect(repliesOf(first)).toHaveLength(3);
    for (const service of [one, instance()]) {
      const again = await service.handle(batch);
      expect(repliesOf(again)).toEqual(repliesOf(first));
      expect(again.publish.map(parsed)).toEqual(first.publish.map(parsed));
    }
  });

  it('publishes the whole personal record, and nothing personal anywhere else', async () => {
    const key = randomUUID();
    const service = instance();
    await service.handle([messageOf(save(key, { personal: { email: 'sentinel@example.org', ip: '192.0.2.1' } }))]);

    const { publish } = await service.handle([
      messageOf(save(key, { personal: { phone: 'sentinel-phone', ip: null } })),
    ]);

    const personal = publish.filter(({ topic }) => topic === topics.profilePersonal);
    expect(personal.map(({ value }) => JSON.parse(String(value)))).toEqual([
      {
        appId: 1,
        profileId: key,
        version: 2,
        fields: { email: 'sentinel@example.org', phone: 'sentinel-phone' },
      },
    ]);
    expect(JSON.stringify(publish.filter((record) => !personal.includes(record)))).not.toContain('sentinel');
    const { rows } = await database.pool.query<{ text: string }>(
      'SELECT (SELECT json_agg(event)::text FROM event) || (SELECT json_agg(inbox)::text FROM inbox) AS text',
    );
    expect(rows[0]?.text).toContain(key);
    expect(rows[0]?.text).not.toContain('sentinel');
  });

  it('leaves nothing personal behind an erasure, and brings nothing back when what was before it comes again', async () => {
    const key = randomUUID();
    const service = instance();
    const saved = messageOf(save(key, { personal: { email: 'erased@example.org' } }));
    const erase = messageOf(
      commandFor(EraseProfile, { key, issuedAt: clock.now(), deadline: clock.now() + 5_000, body: { actor: 'ops' } }),
    );
    await service.handle([saved]);
    const tombstone = { topic: topics.profilePersonal, key, headers: { app: '1', version: '2' }, value: null };
    const personalOf = ({ publish }: BatchResult) => publish.filter(({ topic }) => topic === topics.profilePersonal);

    expect(personalOf(await service.handle([erase]))).toEqual([tombstone]);
    for (const again of [service, instance()])
      expect(personalOf(await again.handle([saved, erase]))).toEqual([tombstone, tombstone]);
    const { rows } = await database.pool.query('SELECT version, fields FROM personal WHERE stream = $1', [key]);
    expect(rows).toEqual([{ version: 2, fields: {} }]);
  });

  it('gives two simultaneous first requests of one person one profile', async () => {
    const key = randomUUID();
    const [first, second] = await Promise.all([
      instance().handle([messageOf(save(key, {}))]),
      instance().handle([messageOf(save(key, {}))]),
    ]);

    const created = [first, second].flatMap(repliesOf).map((reply) => parsed(reply).value.body);
    expect(created).toEqual(
      expect.arrayContaining([
        { created: true, createdAt: expect.any(Number) as unknown },
        { created: false, allPersonalGiven: true },
      ]),
    );
  });
});
