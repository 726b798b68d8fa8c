import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { Decimal } from './purchase-facts.ts';
import { chainFields } from './purchase-fields.ts';

/** A row of the ledger that had no rate has one now. */
export const MoneyValued = defineEvent(
  'MoneyValued',
  1,
  z.object({ ...chainFields, movementId: z.string(), usd: Decimal, rate: Decimal }),
);
export type MoneyValued = EventOf<typeof MoneyValued>;
