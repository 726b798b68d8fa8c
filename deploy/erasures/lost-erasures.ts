import { ProfileErased, topics } from '@paywright/contracts';
import {
  decodeEvent,
  readRanges,
  readTopic,
  withAdmin,
  type KafkaConnection,
  type ReceivedMessage,
} from '@paywright/messaging/topics';
import { UsageError } from '../local/usage-error.ts';
import { queryOnce } from '../migrate/scratch-database.ts';

/** That a person was erased, as the topic tells it. */
export interface Erasure {
  readonly eventId: string;
  readonly appId: number;
  readonly profileId: string;
  /** In milliseconds since the epoch. */
  readonly erasedAt: number;
  readonly actor: string;
}

/** $1 profiles, $2 the ids of their erasures: those that are stored. */
const selectStored = `
  select event.id from profile.event
  join unnest($1::text[], $2::uuid[]) as told (stream, id) on told.stream = event.stream and told.id = event.id`;

/**
 * The erasures that the topic tells of and the event store does not hold: those since the copy that was restored. Of each
 * profile the last, in order of time; none of a profile whose last is stored, since who came back after it is to stay.
 * @throws UsageError if the topic never had a record: another Kafka than that of before would tell of nobody
 */
export async function lostErasures(
  kafka: KafkaConnection,
  databaseUrl: string,
  topic: string = topics.profileEvents,
): Promise<readonly Erasure[]> {
  if (!(await wasWritten(kafka, topic)))
    throw new UsageError(`${topic} has no records: this is not the Kafka of before. Set KAFKA_BROKERS to that one.`);
  const last = await lastErasures(kafka, topic);
  const stored = await storedAmong(databaseUrl, last);
  return last.filter(({ eventId }) => !stored.has(eventId)).sort((a, b) => a.erasedAt - b.erasedAt);
}

/** As it is told, to people and to what erases again. */
export const erasureLine = ({ appId, profileId, erasedAt, actor }: Erasure): string =>
  [appId, profileId, new Date(erasedAt).toISOString(), actor].join(' ');

/** How many they are, in a sentence for whoever asked. */
export const howMany = ({ length }: readonly Erasure[]): string =>
  `${length === 1 ? '1 person was' : `${length} people were`} erased whom the database does not know as erased.`;

async function wasWritten(kafka: KafkaConnection, topic: string): Promise<boolean> {
  const existing = await withAdmin(kafka, (admin) => admin.listTopics());
  return existing.includes(topic) && (await readRanges(kafka, [topic])).some(({ end }) => end > 0n);
}

async function lastErasures(kafka: KafkaConnection, topic: string): Promise<readonly Erasure[]> {
  const records: ReceivedMessage[] = [];
  await readTopic(kafka, topic, (message) => {
    if (message.headers['ce_type']?.startsWith(`${ProfileErased.type}.`)) records.push(message);
  });
  const last = new Map<string, Erasure & { readonly streamVersion: number }>();
  for (const record of records) {
    const event = decodeEvent(record);
    if (event.type !== ProfileErased.type) continue;
    const { id: eventId, streamVersion, body } = event;
    // A record of before may come again.
    if (streamVersion > (last.get(body.profileId)?.streamVersion ?? 0))
      last.set(body.profileId, { ...body, eventId, streamVersion });
  }
  return [...last.values()];
}

async function storedAmong(databaseUrl: string, erasures: readonly Erasure[]): Promise<ReadonlySet<string>> {
  const values = [erasures.map(({ profileId }) => profileId), erasures.map(({ eventId }) => eventId)];
  const rows = await queryOnce<{ id: string }>(databaseUrl, selectStored, values);
  return new Set(rows.map(({ id }) => id));
}
