import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { Money } from './purchase-facts.ts';
import { chainFields } from './purchase-fields.ts';

export const MoneyShareTold = defineEvent(
  'MoneyShareTold',
  1,
  'The store’s share of a booked charge that was not known yet: once a row. It is an event of its own ' +
    'because Stripe takes its fee up to an hour after the payment, long after the row was booked, and ' +
    'rows are never told again.',
  z.object({
    ...chainFields,
    movementId: z.string().describe('The row of the ledger'),
    storeShare: Money.describe('What the store keeps, in the currency that it settles in'),
  }),
);
export type MoneyShareTold = EventOf<typeof MoneyShareTold>;
