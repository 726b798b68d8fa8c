import { deadLetterStatuses } from '@paywright/contracts';
import { answered, integer, listOf, mapOf, oneOf, orNull, ref, text, time, type Schema } from '../json-schema.ts';

const status = oneOf(deadLetterStatuses, 'open: somebody must act');
const attempts = integer('How often it was handled', { minimum: 1 });
const skippedVersion = orNull(
  integer('The read model goes on behind this version of the stream, without it; null where nothing is lacking'),
);

const letter = {
  id: integer('The dead letter'),
  group: text('The consumer group that could not handle it', { examples: ['projection'] }),
  topic: text('Where it was read'),
  partition: integer('In which partition'),
  offset: text('At which offset; of one that failed again, the last one', { examples: ['4711'] }),
  key: orNull(text('Its key')),
  appId: orNull(integer('The app, if it names one')),
  messageId: orNull(text('The command or event')),
  type: orNull(text('What it claims to be', { examples: ['ProfileUpdated.v2'] })),
  status,
  reason: text('Why it could not be handled, the last time'),
  attempts,
  recordedAt: time('When it failed first'),
  failedAt: time('When it failed last'),
  settledAt: orNull(time('When it was retried or discarded')),
  settledBy: orNull(text('Name of the token that did')),
  skippedVersion,
};

/** What nobody could handle, and what came of it. */
export const deadLetterSchemas: Readonly<Record<string, Schema>> = {
  DeadLetter: answered('A message that nobody could handle', letter),
  DeadLetterInFull: answered('A message that nobody could handle, in full', {
    ...letter,
    parked: integer('Records of its key that wait behind it'),
    headers: mapOf(text('A header'), 'Its headers, as far as they are ours'),
    payload: orNull(text('Its body; null of a command, which is never kept, and above 64 KiB')),
    payloadLength: orNull(integer('Length of the body that is kept, in bytes')),
    actions: listOf(
      answered('An action', {
        time: time('When'),
        actor: text('Name of the token'),
        action: oneOf(['DeadLetterRetried', 'DeadLetterDiscarded'], 'What was asked'),
        outcome: ref('DeadLetterOutcome'),
      }),
      'What was done about it, oldest first',
    ),
  }),
  DeadLetterOutcome: answered('What an action came to', {
    id: integer('The dead letter'),
    status,
    reason: orNull(text('Why it failed again; null unless it is open')),
    attempts,
    released: integer('Records that waited behind it and are folded in now'),
    parked: integer('Records of its key that wait still'),
    nextDeadLetter: orNull(integer('The dead letter that holds up its key now; null if the key is free')),
    skippedVersion,
  }),
  ParkedKey: answered('A key whose records wait', {
    group: text('The consumer group'),
    topic: text('The topic'),
    key: text('The key'),
    deadLetterId: integer('The dead letter in front'),
    parked: integer('How many wait behind it'),
    since: time('Since when'),
  }),
};
