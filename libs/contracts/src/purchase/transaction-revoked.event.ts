import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedAt, observedFields } from './purchase-fields.ts';

export const TransactionRevoked = defineEvent(
  'TransactionRevoked',
  1,
  'The store took a transaction back without money.',
  z.object({
    ...observedFields,
    transactionId: z.string().describe('The transaction, by its id in the store'),
    observedAt,
  }),
);
export type TransactionRevoked = EventOf<typeof TransactionRevoked>;
