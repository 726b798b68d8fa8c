import { ProfileErased, topics, type Refusal } from '@paywright/contracts';
import {
  deadLettersOfFollower,
  type OutgoingMessage,
  type PartitionPart,
  type PartitionStart,
  type ReceivedMessage,
} from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import { projectionName } from '../following/dead-letters.ts';
import { versionOf } from '../following/message-identity.ts';
import { lockPartition } from '../following/offsets.ts';
import type { Projection } from '../following/projection.ts';
import { loadParked, retryParked, type ParkedRecord, type RetryResult } from '../following/retry-parked.ts';
import type { Letter } from './letter.ts';
import { aloneOutcome, holdOpen, refused, settle, type Acting, type Settled } from './settling.ts';

/** Where records can be read once more. */
export interface SourceLog {
  /** The record at that place; null if its topic holds it no more. */
  find(start: PartitionStart): Promise<ReceivedMessage | null>;
  /** The last record of the key in that part; null if there is none. `next` is where to read on: behind all that was read. */
  findNewest(
    part: PartitionPart,
    key: string | null,
  ): Promise<{ readonly record: ReceivedMessage | null; readonly next: string }>;
}

/** The record of a dead letter as its topic holds it: the newest of its key. */
export interface ReadAgain {
  readonly record: ReceivedMessage;
  /** Whether it is so still where the topic has been folded in up to that offset. */
  isNewestBefore(offset: string): Promise<boolean>;
}

/**
 * Reads a record of a topic whose records are not kept with their dead letters, since they are personal. Each replaces
 * all before it, so an older one must not be folded in behind a newer one. Reading takes long, and is done before the
 * partition is held; what was folded in since is all that is left to look at then.
 */
export async function readAgain(source: SourceLog, letter: Letter): Promise<ReadAgain | { readonly refusal: Refusal }> {
  const { topic, key, offset } = letter;
  const { record, next } = await source.findNewest(letter, key);
  if (record === null) return notRetriable(`${topic} holds it no more`);
  if (record.offset !== offset) return replaced;
  return {
    record,
    isNewestBefore: async (end) =>
      BigInt(end) <= BigInt(next) || (await source.findNewest({ ...letter, offset: next, end }, key)).record === null,
  };
}

/**
 * Folds a record of the projection in that could not be, and then what waits behind it, in order, until one fails.
 * @param transaction all of it, or nothing; the partition's projection waits until it ends
 * @param again the record, where it is not kept with its dead letter
 */
export async function retryFolded(
  transaction: Queryable,
  projection: Projection,
  place: Letter,
  again: ReadAgain | null,
  acting: Acting,
): Promise<Settled> {
  const held = await holdQueue(transaction, place);
  if ('refusal' in held) return held;
  const { letter, queue, nextOffset } = held;
  if (again && !(await again.isNewestBefore(nextOffset))) return replaced;
  const mended = again ? [{ ...recordOf(letter), message: again.record }] : queue;
  const result = await retryParked(transaction, projection, mended, acting);
  // A version that came late stands before it, and may have failed.
  const failedAgain = result.applied <= mended.findIndex(({ seq }) => seq === letter.seq);
  const outcome = {
    ...aloneOutcome(letter, failedAgain ? 'open' : 'retried'),
    reason: failedAgain ? (result.failed?.reason ?? null) : null,
    attempts: letter.attempts + 1,
    ...behind(result),
    released: Math.max(0, result.applied - 1),
  };
  return { outcome, publish: mirror(result) };
}

/**
 * Gives a record of the projection up, and folds in what waits behind it, though the rows lack that record. Not one that
 * erases a person: they would be shown for ever.
 */
export async function discardFolded(
  transaction: Queryable,
  projection: Projection,
  place: Letter,
  acting: Acting,
): Promise<Settled> {
  const held = await holdQueue(transaction, place);
  if ('refusal' in held) return held;
  const { letter, queue } = held;
  if (erases(letter)) return neverDiscarded;
  const skippedVersion = projection.ordered ? versionOf(letter) : null;
  await settle(transaction, letter, 'discarded', acting, skippedVersion);
  const waiting = queue.filter(({ seq }) => seq !== letter.seq);
  const result = await retryParked(transaction, projection, waiting, acting);
  const outcome = { ...aloneOutcome(letter, 'discarded'), ...behind(result), skippedVersion };
  return { outcome, publish: mirror(result) };
}

/** The letter and what waits behind it, in the order of the stream, of a partition that stands still meanwhile, before its next offset. */
async function holdQueue(transaction: Queryable, { id, topic, partition }: Letter) {
  const nextOffset = await lockPartition(transaction, topic, partition);
  const held = await holdOpen(transaction, id);
  if ('refusal' in held) return held;
  const { letter } = held;
  if (!letter.blocks) return { letter, queue: [recordOf(letter)], nextOffset };
  const queue = await loadParked(transaction, topic, letter.key);
  const first = firstLetter(queue);
  if (first === undefined || first.seq === letter.seq) return { letter, queue, nextOffset };
  return refused('DEAD_LETTER_WAITS', `Dead letter ${first.seq} of the same key comes first: act on that one.`);
}

/** The one that blocked the key. */
const firstLetter = (queue: readonly ParkedRecord[]): ParkedRecord | undefined =>
  queue
    .filter(({ isLetter }) => isLetter)
    .reduce<ParkedRecord | undefined>(
      (a, b) => (a && BigInt(a.message.offset) < BigInt(b.message.offset) ? a : b),
      undefined,
    );

const notRetriable = (why: string) =>
  refused('DEAD_LETTER_NOT_RETRIABLE', `The record cannot be retried: ${why}. Discard the dead letter.`);
const replaced = notRetriable('a newer record of its key has replaced it');

function recordOf({ seq, topic, partition, offset, key, headers, payload }: Letter): ParkedRecord {
  return { seq, isLetter: true, message: { topic, partition, offset, key, headers, value: payload, timestamp: 0 } };
}

/** Whether it is a ProfileErased, of whatever version. */
const erases = ({ topic, headers }: Letter): boolean =>
  topic === topics.profileEvents && headers['ce_type']?.split('.', 1)[0] === ProfileErased.type;

const neverDiscarded = refused(
  'DEAD_LETTER_NOT_DISCARDABLE',
  'It erases a person, whom the read model would show for ever without it. Mend the cause, and retry.',
);

/** What waits for the record that failed: nothing, if none did. */
const behind = ({ applied, waiting, failed }: RetryResult) => ({
  released: applied,
  parked: Math.max(0, waiting - 1),
  nextDeadLetter: failed ? Number(failed.seq) : null,
});

/** What failed is told on the topic of the projection's dead letters, as it was when it failed first. */
const mirror = ({ failed }: RetryResult): readonly OutgoingMessage[] =>
  failed ? deadLettersOfFollower(projectionName)(failed) : [];

/** The same of a letter that is kept. Nothing where it is done with, or was not kept whole, since it is personal. */
export function mirrorOf(letter: Letter): readonly OutgoingMessage[] {
  const { error: reason, status, payload } = letter;
  if (reason === null || status !== 'open' || payload === null) return [];
  return deadLettersOfFollower(projectionName)({ ...recordOf(letter), reason });
}
