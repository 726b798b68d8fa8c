import { topics } from '@paywright/contracts';
import { decodeEvent, readTopic, withAdmin } from '@paywright/messaging/topics';
import pg from 'pg';
import { connectToKafka, type Addresses } from '../stack/connect-to-kafka.ts';
import { untilNone } from '../stack/until-none.ts';
import type { KnownEvent, Observation } from '../torture/invariants/observation.ts';

const writeServices = ['profile', 'selection', 'impression'] as const;
const eventTopics = [topics.profileEvents, topics.selectionEvents, topics.impressionEvents];
const restMs = 30_000;

/**
 * Looks at topics, stores and read models from outside, once the read model has all that was published.
 * @throws if it has not within 30 s: I6
 */
export async function observe(addresses: Addresses): Promise<Observation> {
  const client = new pg.Client({ connectionString: addresses.databaseUrl });
  await client.connect();
  try {
    await untilProjected(addresses, client);
    return {
      stored: await storedEvents(client),
      published: await publishedEvents(addresses),
      projected: await projectedEvents(client),
      profiles: await profiles(client),
      customers: await customers(client),
      uniqueImpressions: await uniqueImpressions(client),
    };
  } finally {
    await client.end();
  }
}

async function untilProjected(addresses: Addresses, client: pg.Client): Promise<void> {
  await untilNone(
    restMs,
    () => missingInReadModel(addresses, client),
    (partitions) => `I6: the read model stands still before ${partitions}`,
  );
}

async function missingInReadModel(addresses: Addresses, client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ topic: string; partition: number; next: string }>(
    'select topic, partition, max(next_offset)::text as next from read_model.projection_offset group by 1, 2',
  );
  const projected = new Map(rows.map(({ topic, partition, next }) => [`${topic}/${partition}`, BigInt(next)]));
  const ends = await endOffsets(addresses);
  return [...ends].filter(([at, end]) => end > (projected.get(at) ?? 0n)).map(([at]) => at);
}

async function endOffsets(addresses: Addresses): Promise<ReadonlyMap<string, bigint>> {
  return withAdmin(connectToKafka(addresses), async (admin) => {
    const ends = new Map<string, bigint>();
    for (const topic of [...eventTopics, topics.profilePersonal])
      for (const { partition, high } of await admin.fetchTopicOffsets(topic))
        ends.set(`${topic}/${partition}`, BigInt(high));
    return ends;
  });
}

async function storedEvents(client: pg.Client): Promise<KnownEvent[]> {
  const stored: KnownEvent[] = [];
  for (const service of writeServices) {
    const { rows } = await client.query<Omit<KnownEvent, 'service'>>(
      `select id, stream, version, type, data as body from ${service}.event order by stream, version`,
    );
    stored.push(...rows.map((row) => ({ ...row, service })));
  }
  return stored;
}

async function publishedEvents(addresses: Addresses): Promise<KnownEvent[]> {
  const published = await Promise.all(eventTopics.map((topic) => eventsOf(addresses, topic)));
  return published.flat();
}

async function eventsOf(addresses: Addresses, topic: string): Promise<KnownEvent[]> {
  const events: KnownEvent[] = [];
  await readTopic(connectToKafka(addresses), topic, (message) => {
    const { id, service, stream, streamVersion: version, type, body } = decodeEvent(message);
    events.push({ id, service, stream, version, type, body });
  });
  return events;
}

async function projectedEvents(client: pg.Client): Promise<KnownEvent[]> {
  const { rows } = await client.query<KnownEvent>(
    `select id, service, profile_id::text as stream, version, type, data::jsonb as body from read_model.profile_event`,
  );
  return rows;
}

async function profiles(client: pg.Client): Promise<Observation['profiles']> {
  const { rows } = await client.query<{ id: string; version: number; custom: { key: string; value: string }[] }>(
    'select profile_id::text as id, version, custom from read_model.profile',
  );
  return new Map(rows.map(({ id, version, custom }) => [id, { version, custom }]));
}

async function customers(client: pg.Client): Promise<Observation['customers']> {
  const { rows } = await client.query<{ customer: string; streams: string[] }>(
    `select fields->>'customerUserId' as customer, array_agg(stream) as streams
     from profile.personal where fields ? 'customerUserId' group by 1`,
  );
  return new Map(rows.map(({ customer, streams }) => [customer, streams]));
}

async function uniqueImpressions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `select profile_id::text || '/' || paywall_id as key from read_model.unique_impression`,
  );
  return rows.map(({ key }) => key);
}
