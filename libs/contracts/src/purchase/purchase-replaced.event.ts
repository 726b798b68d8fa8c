import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { chainFields } from './purchase-fields.ts';

export const PurchaseReplaced = defineEvent(
  'PurchaseReplaced',
  1,
  'Another chain took this one’s place: its access ended, whatever the store still says of it.',
  z.object({
    ...chainFields,
    byChainId: z.uuid().describe('The chain that took its place'),
    replacedAt: z.int().describe('In milliseconds since the epoch'),
  }),
);
export type PurchaseReplaced = EventOf<typeof PurchaseReplaced>;
