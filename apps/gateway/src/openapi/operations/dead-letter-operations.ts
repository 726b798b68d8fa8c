import { deadLetterStatuses, type ErrorCode } from '@paywright/contracts';
import * as examples from '../dead-letter-examples.ts';
import { ref } from '../json-schema.ts';
import type { Operation, Parameter } from '../operation.ts';
import { answer, list, read, write } from './admin-operations.ts';

const tag = 'Dead letters';
const unknown: readonly ErrorCode[] = ['DEAD_LETTER_NOT_FOUND'];
const inTheWay: readonly ErrorCode[] = [...unknown, 'DEAD_LETTER_SETTLED', 'DEAD_LETTER_WAITS'];

const name = { type: 'string', minLength: 1, maxLength: 255 };
const group: Parameter = { name: 'group', description: 'Of this consumer group', schema: name };
const topic: Parameter = { name: 'topic', description: 'Of this topic', schema: name };
const filters: readonly Parameter[] = [
  group,
  topic,
  { name: 'appId', description: 'Of this app', schema: { type: 'integer', minimum: 1 } },
  { name: 'status', description: 'In this state', schema: { type: 'string', enum: deadLetterStatuses } },
];

/** The admin API's routes of dead letters, by path and method. */
export const deadLetterOperations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/admin/v1/dead-letters': {
    get: list(
      {
        id: 'listDeadLetters',
        tag,
        summary: 'List the messages that nobody could handle, newest first',
        query: filters,
      },
      ref('DeadLetter'),
      examples.deadLetter,
    ),
  },
  '/admin/v1/dead-letters/parked': {
    get: list(
      {
        id: 'listParkedKeys',
        tag,
        summary: 'List the keys whose records wait behind a dead letter, the last one first',
        query: [group, topic],
      },
      ref('ParkedKey'),
      examples.parkedKey,
    ),
  },
  '/admin/v1/dead-letters/{deadLetterId}': {
    get: read({
      id: 'getDeadLetter',
      tag,
      summary: 'Read a dead letter in full',
      answers: { 200: answer('The dead letter', ref('DeadLetterInFull'), examples.deadLetterInFull) },
      refusals: unknown,
    }),
  },
  '/admin/v1/dead-letters/{deadLetterId}/retry': {
    post: write({
      id: 'retryDeadLetter',
      tag,
      summary: 'Hand it on again',
      description:
        'A record of the projection is folded in, and what waits behind it, in order, until one fails. A command is sent ' +
        'once more, while its topic holds it. What fails again is open again.',
      answers: { 200: answer('What came of it', ref('DeadLetterOutcome'), examples.outcome) },
      refusals: [...inTheWay, 'DEAD_LETTER_NOT_RETRIABLE'],
    }),
  },
  '/admin/v1/dead-letters/{deadLetterId}/discard': {
    post: write({
      id: 'discardDeadLetter',
      tag,
      summary: 'Give it up for good',
      description:
        'What waits behind it goes on, though the read model lacks it: skippedVersion says from where on. ' +
        'This cannot be undone. An event that erases a person cannot be given up.',
      answers: {
        200: answer('What came of it', ref('DeadLetterOutcome'), {
          ...examples.outcome,
          status: 'discarded',
          attempts: 1,
          skippedVersion: 4,
        }),
      },
      refusals: [...inTheWay, 'DEAD_LETTER_NOT_DISCARDABLE'],
    }),
  },
};
