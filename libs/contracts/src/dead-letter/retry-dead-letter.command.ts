import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { DeadLetterOutcome } from './dead-letter-outcome.ts';

/** Hands what could not be handled on again. Kafka key: the dead letter's id. */
export const RetryDeadLetter = defineCommand(
  'RetryDeadLetter',
  1,
  z.object({ actor: z.string(), deadLetterId: z.int().min(1) }),
  DeadLetterOutcome,
);
export type RetryDeadLetter = CommandOf<typeof RetryDeadLetter>;
