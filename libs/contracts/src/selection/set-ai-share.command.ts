import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { AiShare, GuardEvidence } from './guard-evidence.ts';

/**
 * Holds a model's AI traffic back, or lets it go. `from` is the share that is to be changed: where another one holds
 * by now, nothing changes; null changes any. `version` is the model's stream's that the guard knew: where it has gone on,
 * nothing changes either; absent from a person's. `evidence` is the guard's; null: a person gives AI its whole share back.
 * `actor` is the name of the admin token that asks, absent from a guard's.
 * Kafka key: the model's stream, `modelStreamOf`.
 */
export const SetAiShare = defineCommand(
  'SetAiShare',
  1,
  z.object({
    model: z.string(),
    from: AiShare.nullable(),
    version: z.int().optional(),
    aiShare: AiShare,
    evidence: GuardEvidence.nullable(),
    actor: z.string().optional(),
  }),
  z.object({ aiShare: AiShare }),
);
export type SetAiShare = CommandOf<typeof SetAiShare>;
