import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { TransactionFact } from './purchase-facts.ts';
import { Labels, observedFields } from './purchase-fields.ts';

/**
 * The store told of a transaction for the first time, or something new of a known one; the newest event of a
 * transaction id replaces the earlier ones. `originalTransactionId` is what people know the chain by, never a
 * purchase token. `observedAt` in milliseconds.
 */
export const TransactionObserved = defineEvent(
  'TransactionObserved',
  1,
  z.object({
    ...observedFields,
    originalTransactionId: z.string().nullable(),
    observedAt: z.int(),
    transaction: TransactionFact,
    labels: Labels,
  }),
);
export type TransactionObserved = EventOf<typeof TransactionObserved>;
