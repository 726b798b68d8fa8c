import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedAt, observedFields } from './purchase-fields.ts';

export const SubscriptionConfirmed = defineEvent(
  'SubscriptionConfirmed',
  1,
  'The store said again, at `observedAt`, what was known: nothing older counts from here on.',
  z.object({
    ...observedFields,
    observedAt,
  }),
);
export type SubscriptionConfirmed = EventOf<typeof SubscriptionConfirmed>;
