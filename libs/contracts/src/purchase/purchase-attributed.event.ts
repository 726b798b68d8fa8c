import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedFields, PurchaseOrigin } from './purchase-fields.ts';

/**
 * What the chain came of, told once a chain and never again: all its money, earlier and later, belongs to it.
 * It is the first attribution that the payer sent, or that the app wrote on the payer's purchase at the store.
 */
export const PurchaseAttributed = defineEvent(
  'PurchaseAttributed',
  1,
  z.object({
    ...observedFields,
    payerProfileId: z.uuid(),
    transactionId: z.string().nullable(),
    origin: PurchaseOrigin,
  }),
);
export type PurchaseAttributed = EventOf<typeof PurchaseAttributed>;
