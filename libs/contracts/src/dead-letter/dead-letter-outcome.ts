import { z } from 'zod';

/** `open`: somebody must act. `retried`: handed on again, and not come back since. `discarded`: given up for good. */
export const deadLetterStatuses = ['open', 'retried', 'discarded'] as const;
export type DeadLetterStatus = (typeof deadLetterStatuses)[number];

/** What an action made of a dead letter, and of the records that waited behind it. */
export const DeadLetterOutcome = z.object({
  id: z.int(),
  status: z.enum(deadLetterStatuses),
  /** Why it failed again; null unless it is open. */
  reason: z.string().nullable(),
  /** How often it was handled in all. */
  attempts: z.int(),
  /** Records that waited behind it and are folded in now. */
  released: z.int(),
  /** Records of its key that wait still. */
  parked: z.int(),
  /** The dead letter that holds up its key now; null if the key is free. */
  nextDeadLetter: z.int().nullable(),
  /** The read model goes on behind this version of the stream, without it; null where nothing is lacking. */
  skippedVersion: z.int().nullable(),
});
export type DeadLetterOutcome = z.output<typeof DeadLetterOutcome>;
