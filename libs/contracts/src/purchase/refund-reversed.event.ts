import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedFields } from './purchase-fields.ts';

/** The store took back all that it had refunded, or revoked, of a transaction until `reversedAt` (milliseconds). */
export const RefundReversed = defineEvent(
  'RefundReversed',
  1,
  z.object({ ...observedFields, transactionId: z.string(), reversedAt: z.int() }),
);
export type RefundReversed = EventOf<typeof RefundReversed>;
