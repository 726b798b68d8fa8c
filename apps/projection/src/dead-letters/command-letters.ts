import { createHash } from 'node:crypto';
import type { Refusal } from '@paywright/contracts';
import { retriedCommand, type Failpoint, type OutgoingMessage, type ReceivedMessage } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import type { SourceLog } from './folded-letters.ts';
import type { Letter } from './letter.ts';
import { aloneOutcome, holdOpen, refused, settle, type Acting, type Settled } from './settling.ts';

/** A command that can be sent once more. */
type Repeatable = ReceivedMessage & { readonly key: string };

/**
 * The command that a dead letter is of, read again where it stands in its topic: dead letters hold no commands, since
 * these may name people.
 */
export async function readCommandAgain(
  source: SourceLog,
  letter: Letter,
): Promise<{ readonly command: Repeatable } | { readonly refusal: Refusal }> {
  const { topic, headers } = letter;
  if (letter.key === null || !headers['id'])
    return notRetriable('it has no key or no id, so nobody could tell whether it was carried out before');
  const found = await source.find(letter);
  if (found === null || sha256Of(found) !== headers['dead-letter-payload-sha256'])
    return notRetriable(`${topic} holds it no more, and dead letters hold no commands. Its sender may send it again`);
  if (found.key === null) return notRetriable('it has no key');
  return { command: { ...found, key: found.key } };
}

/**
 * Sends a command once more, behind what its topic holds by now: its client was told that it failed, and later ones of
 * its key were decided without it. It is published before the letter is settled: a crash in between sends it twice,
 * and its service's inbox knows its id.
 * @param publish resolves once the messages are stored for good
 */
export async function retryCommand(
  transaction: Queryable,
  { id, offset }: Letter,
  command: Repeatable,
  publish: (messages: readonly OutgoingMessage[]) => Promise<void>,
  failpoint: Failpoint,
  acting: Acting,
): Promise<Settled> {
  const held = await holdOpen(transaction, id);
  if ('refusal' in held) return held;
  const { letter } = held;
  if (letter.offset !== offset)
    return refused('DEAD_LETTER_SETTLED', 'It was retried meanwhile and has failed again: look at it, then repeat.');
  await publish([retriedCommand(command)]);
  failpoint('after_retry_publish');
  await settle(transaction, letter, 'retried', acting);
  return { outcome: aloneOutcome(letter, 'retried'), publish: [] };
}

/** Gives a message up that nothing waits behind. */
export async function discardAlone(transaction: Queryable, { id }: Letter, acting: Acting): Promise<Settled> {
  const held = await holdOpen(transaction, id);
  if ('refusal' in held) return held;
  await settle(transaction, held.letter, 'discarded', acting);
  return { outcome: aloneOutcome(held.letter, 'discarded'), publish: [] };
}

const notRetriable = (why: string) => refused('DEAD_LETTER_NOT_RETRIABLE', `It cannot be retried: ${why}.`);

const sha256Of = ({ value }: ReceivedMessage): string =>
  createHash('sha256')
    .update(value ?? Buffer.alloc(0))
    .digest('hex');
