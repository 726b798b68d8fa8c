import { groups } from '@paywright/contracts';
import type { DeadLetter, ReceivedMessage } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import {
  insertDeadLetters,
  selectBlockedKeys,
  selectReasons,
  selectSkippedVersions,
  selectStillBlocked,
} from './dead-letter.sql.ts';
import { appOf, indexedText, messageIdOf } from './message-identity.ts';
import type { Projection, Unhandled } from './projection.ts';

/** The consumer in the keys of projection_offset and dead_letter. Stored: renamed, everything is read again. */
export const projectionName = groups.projection;

/** Keys of a partition behind which records wait. */
export async function loadBlockedKeys(database: Queryable, topic: string, partition: number): Promise<Set<string>> {
  const { rows } = await database.query<{ key: string }>(selectBlockedKeys, [projectionName, topic, partition]);
  return new Set(rows.map(({ key }) => key));
}

/** Those of the keys that are blocked still: the queue of one may have been emptied meanwhile. */
export async function stillBlocked(database: Queryable, topic: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await database.query<{ key: string }>(selectStillBlocked, [projectionName, topic, keys]);
  return new Set(rows.map(({ key }) => key));
}

/** Of streams, the last version of each that was discarded: they go on behind it. */
export async function loadSkippedVersions(
  database: Queryable,
  topic: string,
  streams: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.query<{ key: string; version: number }>(selectSkippedVersions, [
    projectionName,
    topic,
    streams,
  ]);
  return new Map(rows.map(({ key, version }) => [key, version]));
}

/** The key that records wait behind. One that Postgres cannot hold is no stream's: nothing waits behind it. */
export const keyInDatabase = ({ key }: ReceivedMessage): string | null => indexedText(key);

/** Keeps records that could not be handled, in the transaction that makes them done. One topic and partition. */
export async function keepUnhandled(
  database: Queryable,
  { ordered, payloadKept }: Projection,
  unhandled: readonly Unhandled[],
  now: number,
): Promise<void> {
  const [first] = unhandled;
  if (first === undefined) return;
  const inOrder = unhandled.toSorted((a, b) => Number(BigInt(a.message.offset) - BigInt(b.message.offset)));
  const messages = inOrder.map(({ message }) => message);
  await database.query(insertDeadLetters, [
    projectionName,
    first.message.topic,
    first.message.partition,
    new Date(now),
    messages.map(keyInDatabase),
    messages.map(({ offset }) => offset),
    messages.map(({ headers }) => JSON.stringify(headers)),
    messages.map(({ value }) => (payloadKept ? value : null)),
    messages.map((message) => ordered && keyInDatabase(message) !== null),
    inOrder.map(({ reason }) => reason),
    messages.map(appOf),
    messages.map(messageIdOf),
  ]);
}

/** The dead letters to mirror on the topic: not what only waits behind them. */
export const toMirror = (unhandled: readonly Unhandled[]): readonly DeadLetter[] =>
  unhandled.flatMap(({ message, reason }) => (reason === null ? [] : { message, reason }));

/** The dead letters among records that are done: their mirroring may have failed, so they are mirrored again. */
export async function keptLetters(
  database: Queryable,
  messages: readonly ReceivedMessage[],
): Promise<readonly Unhandled[]> {
  const [first, last] = [messages.at(0), messages.at(-1)];
  if (first === undefined || last === undefined) return [];
  const values = [projectionName, first.topic, first.partition, first.offset, last.offset];
  const { rows } = await database.query<{ offset: string; error: string }>(selectReasons, values);
  const reasons = new Map(rows.map(({ offset, error }) => [offset, error]));
  return messages.flatMap((message) => {
    const reason = reasons.get(message.offset);
    return reason === undefined ? [] : { message, reason };
  });
}
