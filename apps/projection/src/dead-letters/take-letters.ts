import { deadLetterTopic, groups } from '@paywright/contracts';
import { inTransaction } from '@paywright/event-sourcing';
import { type BatchResult, type DeadLetter, type ReceivedMessage } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import type pg from 'pg';
import { z } from 'zod';
import { appOf, indexedText, messageIdOf } from '../following/message-identity.ts';
import { insertLetter, reopenLetter, selectKnownLetter } from './letter.sql.ts';

/** The groups by the topics of their dead letters. The projection keeps its own in the transactions of its rows. */
const groupOf: ReadonlyMap<string, string> = new Map(
  Object.values(groups)
    .filter((group) => group !== groups.projection)
    .map((group) => [deadLetterTopic(group), group]),
);

/** The topics that dead letters are taken from. */
export const letterTopics: readonly string[] = [...groupOf.keys()];

const Headers = z.object({
  'dead-letter-topic': z.string().min(1),
  'dead-letter-partition': z.coerce.number().int().min(0),
  'dead-letter-offset': z.string().regex(/^\d{1,18}$/),
  'dead-letter-key': z.string(),
  'dead-letter-reason': z.string().min(1),
});

/**
 * Keeps what groups publish as their dead letters. One that is told again is kept once; one that failed in another place
 * of its topic, since it was retried or sent again, is open again and has one attempt more.
 * @param messages of one group's topic, each partition's in offset order
 * @throws what the database throws; then nothing of the message is kept
 */
export async function takeLetters(pool: pg.Pool, messages: readonly ReceivedMessage[]): Promise<BatchResult> {
  const deadLetters: DeadLetter[] = [];
  for (const message of messages) {
    const headers = Headers.safeParse(message.headers);
    const group = groupOf.get(message.topic);
    if (!headers.success || group === undefined) deadLetters.push({ message, reason: 'It is no dead letter.' });
    else await inTransaction(pool, (transaction) => takeLetter(transaction, group, message, headers.data));
  }
  return { publish: [], deadLetters };
}

async function takeLetter(
  transaction: Queryable,
  group: string,
  message: ReceivedMessage,
  headers: z.output<typeof Headers>,
): Promise<void> {
  const {
    'dead-letter-topic': topic,
    'dead-letter-partition': partition,
    'dead-letter-offset': offset,
    'dead-letter-reason': reason,
  } = headers;
  const key = indexedText(headers['dead-letter-key']);
  const payload = message.value?.length ? message.value : null;
  const [kept, time] = [JSON.stringify(message.headers), new Date(message.timestamp)];
  const place = [topic, partition, offset];
  const id = messageIdOf(message);
  // Where its topic is read from is known to Kafka alone: what a crash of the database took would not be read again.
  await transaction.query('set local synchronous_commit = on');
  const { rows } = await transaction.query<KnownLetter>(selectKnownLetter, [group, ...place, id, key]);
  const [known] = rows;
  if (known === undefined)
    await transaction.query(insertLetter, [group, ...place, id, key, appOf(message), kept, payload, reason, time]);
  else if (known.topic !== topic || BigInt(offset) > BigInt(known.offset))
    await transaction.query(reopenLetter, [known.seq, ...place, kept, payload, reason, time]);
}

interface KnownLetter {
  readonly seq: string;
  readonly topic: string;
  readonly offset: string;
}
