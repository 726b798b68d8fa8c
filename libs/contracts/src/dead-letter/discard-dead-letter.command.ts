import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { DeadLetterOutcome } from './dead-letter-outcome.ts';

/** Gives a message up for good, and lets go what waits behind it. Kafka key: the dead letter's id. */
export const DiscardDeadLetter = defineCommand(
  'DiscardDeadLetter',
  1,
  z.object({ actor: z.string(), deadLetterId: z.int().min(1) }),
  DeadLetterOutcome,
);
export type DiscardDeadLetter = CommandOf<typeof DiscardDeadLetter>;
