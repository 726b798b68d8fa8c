import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedFields } from './purchase-fields.ts';

/** The store took a transaction back without money. `observedAt`: when it said so, in milliseconds. */
export const TransactionRevoked = defineEvent(
  'TransactionRevoked',
  1,
  z.object({ ...observedFields, transactionId: z.string(), observedAt: z.int() }),
);
export type TransactionRevoked = EventOf<typeof TransactionRevoked>;
