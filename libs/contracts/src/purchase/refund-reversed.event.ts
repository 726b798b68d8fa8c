import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedFields } from './purchase-fields.ts';

export const RefundReversed = defineEvent(
  'RefundReversed',
  1,
  'The store took back all that it had refunded, or revoked, of a transaction until `reversedAt`.',
  z.object({
    ...observedFields,
    transactionId: z.string().describe('The transaction, by its id in the store'),
    reversedAt: z.int().describe('In milliseconds since the epoch'),
  }),
);
export type RefundReversed = EventOf<typeof RefundReversed>;
