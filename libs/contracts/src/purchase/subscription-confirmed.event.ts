import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedFields } from './purchase-fields.ts';

/** The store said again, at `observedAt`, what was known: nothing older counts from here on. */
export const SubscriptionConfirmed = defineEvent(
  'SubscriptionConfirmed',
  1,
  z.object({
    ...observedFields,
    observedAt: z.int().describe('When the store said so, in milliseconds since the epoch'),
  }),
);
export type SubscriptionConfirmed = EventOf<typeof SubscriptionConfirmed>;
