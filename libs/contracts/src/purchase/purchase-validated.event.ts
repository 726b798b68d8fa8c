import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ClientReport, observedFields, PurchaseOrigin, PurchaseSource } from './purchase-fields.ts';

/**
 * A client reported a purchase, and the store confirmed it. Recorded once a profile and transaction.
 * `profileId` is the profile that reported it, which `source: observing` does not make the owner;
 * `transactionId` is null where neither client nor store named one.
 */
export const PurchaseValidated = defineEvent(
  'PurchaseValidated',
  1,
  z.object({
    ...observedFields,
    profileId: z.uuid(),
    transactionId: z.string().nullable(),
    source: PurchaseSource.nullable(),
    origin: PurchaseOrigin.nullable(),
    clientReported: ClientReport.nullable(),
  }),
);
export type PurchaseValidated = EventOf<typeof PurchaseValidated>;
