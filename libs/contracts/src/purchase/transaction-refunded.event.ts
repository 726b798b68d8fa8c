import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { RefundFact } from './purchase-facts.ts';
import { observedFields } from './purchase-fields.ts';

export const TransactionRefunded = defineEvent(
  'TransactionRefunded',
  1,
  'The store gave money back for a transaction, told once a refund. What that moved in the ledger is ' +
    'in MoneyMoved.',
  z.object({ ...observedFields, refund: RefundFact.describe('What was given back') }),
);
export type TransactionRefunded = EventOf<typeof TransactionRefunded>;
