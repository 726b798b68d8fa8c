import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { Decimal } from './purchase-facts.ts';
import { chainFields } from './purchase-fields.ts';

export const MoneyValued = defineEvent(
  'MoneyValued',
  1,
  'A row of the ledger that had no rate has one now.',
  z.object({
    ...chainFields,
    movementId: z.string().describe('The row of the ledger'),
    usd: Decimal.describe('Signed, exact to a millionth, a decimal text'),
    rate: Decimal.describe('USD of a unit of the currency on the UTC day of the purchase'),
  }),
);
export type MoneyValued = EventOf<typeof MoneyValued>;
