import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { TransactionFact } from './purchase-facts.ts';
import { Labels, observedAt, observedFields } from './purchase-fields.ts';

export const TransactionObserved = defineEvent(
  'TransactionObserved',
  1,
  'The store told of a transaction for the first time, or something new of a known one; the newest ' +
    'event of a transaction id replaces the earlier ones.',
  z.object({
    ...observedFields,
    originalTransactionId: z
      .string()
      .nullable()
      .describe('What people know the chain by, never a purchase token; null: it has nothing else'),
    observedAt,
    transaction: TransactionFact.describe('What was bought'),
    labels: Labels,
  }),
);
export type TransactionObserved = EventOf<typeof TransactionObserved>;
