import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ProfileCreated, ProfileErased, type DomainEvent, type RecordedEvent } from '@paywright/contracts';
import { CoalescingProducer, toCloudEvent } from '@paywright/messaging';
import { derivedId, Metrics } from '@paywright/platform';
import { testTopics, type TestTopics } from '@paywright/testing';
import pg from 'pg';
import { UsageError } from '../local/usage-error.ts';
import { migrate } from '../migrate/migrate.ts';
import { createScratchDatabase, type ScratchDatabase } from '../migrate/scratch-database.ts';
import { howMany, lostErasures, type Erasure } from './lost-erasures.ts';

const appId = 7;
const anna = derivedId('anna');
const ben = derivedId('ben');
const cleo = derivedId('cleo');
const dan = derivedId('dan');
const eve = derivedId('eve');

let database: ScratchDatabase;
let topics: TestTopics<'events'>;
beforeAll(async () => {
  database = await createScratchDatabase(process.env['TEST_DATABASE_URL']!);
  topics = await testTopics({ events: 3 });
  await migrate(database.url);
});
afterAll(async () => {
  await topics[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const recorded = (stream: string, streamVersion: number, event: DomainEvent): RecordedEvent => ({
  ...{ id: derivedId(`${stream}/${streamVersion}`), stream, streamVersion, time: streamVersion * 1_000 },
  ...{ correlationId: derivedId('correlation'), causationId: derivedId('causation') },
  ...event,
});
const created = (profileId: string, version: number) =>
  recorded(profileId, version, ProfileCreated.of({ appId, profileId, fields: {}, personal: true }));
const erased = (profileId: string, version: number) =>
  recorded(profileId, version, ProfileErased.of({ appId, profileId, actor: 'ops', erasedAt: version * 1_000 }));

async function publish(...events: readonly RecordedEvent[]): Promise<void> {
  const producer = new CoalescingProducer({ kafka: topics.connection, metrics: new Metrics() });
  await producer.connect();
  const topic = topics.nameOf('events');
  await producer.send(events.map((event) => ({ ...toCloudEvent('profile', event, event.stream), topic })));
  await producer.close();
}

async function store(...events: readonly RecordedEvent[]): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const { stream, streamVersion, id, type } of events)
    await client.query(
      `insert into profile.event (stream, version, id, type, schema_version, time, data, meta)
       values ($1, $2, $3, $4, 1, now(), '{}', '{}')`,
      [stream, streamVersion, id, type],
    );
  await client.end();
}

it('tells who asks another Kafka than that of before that it is one', async () => {
  const told = (topic: string) => lostErasures(topics.connection, database.url, topic);
  await expect(told(topics.nameOf('events'))).rejects.toThrow('has no records: this is not the Kafka of before');
  await expect(told('there-is-none.profile.events')).rejects.toThrow(UsageError);
}, 60_000);

it('tells of each person the last erasure that is not stored, in order of time', async () => {
  const ofBefore = [
    ...[created(anna, 1), erased(anna, 2)],
    ...[created(ben, 1), erased(ben, 2), created(ben, 3)],
    ...[created(cleo, 1), erased(cleo, 2), created(cleo, 3)],
    created(dan, 1),
  ];
  await store(...ofBefore);
  await publish(...ofBefore, created(anna, 3));
  await publish(erased(dan, 9), erased(cleo, 4), created(cleo, 5), erased(cleo, 6), created(cleo, 7), created(eve, 1));
  await publish(erased(eve, 2), erased(cleo, 4), erased(dan, 9));

  const lost = await lostErasures(topics.connection, database.url, topics.nameOf('events'));
  expect(lost.map(({ profileId, erasedAt }) => [profileId, erasedAt])).toEqual([
    [eve, 2_000],
    [cleo, 6_000],
    [dan, 9_000],
  ]);
  expect(lost[0]).toMatchObject({ appId, actor: 'ops' });
}, 60_000);

it('counts people in a sentence', () => {
  const erasure: Erasure = { eventId: '', appId, profileId: anna, erasedAt: 0, actor: 'ops' };
  expect(howMany([])).toMatch(/^0 people were erased /);
  expect(howMany([erasure])).toMatch(/^1 person was erased /);
  expect(howMany([erasure, { ...erasure, profileId: ben }])).toMatch(/^2 people were erased /);
});
