import { z } from 'zod';
import { appId, profileId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

export const DecisionSuperseded = defineEvent(
  'DecisionSuperseded',
  1,
  'The client was answered by another decision: this one counts for nothing.',
  z.object({
    appId,
    profileId,
    decisionId: z
      .uuid()
      .describe('The decision that counts for nothing, whether it was made before, is made later, or never'),
    supersededBy: z.uuid().describe('The decision that the client was answered with'),
  }),
);
export type DecisionSuperseded = EventOf<typeof DecisionSuperseded>;
