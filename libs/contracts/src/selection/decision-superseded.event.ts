import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

/** The client was answered by another decision: this one counts for nothing. */
export const DecisionSuperseded = defineEvent(
  'DecisionSuperseded',
  1,
  z.object({ appId: z.int(), profileId: z.uuid(), decisionId: z.uuid(), supersededBy: z.uuid() }),
);
export type DecisionSuperseded = EventOf<typeof DecisionSuperseded>;
