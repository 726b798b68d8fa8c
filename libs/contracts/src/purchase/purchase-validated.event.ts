import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ClientReport, observedFields, PurchaseOrigin, PurchaseSource } from './purchase-fields.ts';

export const PurchaseValidated = defineEvent(
  'PurchaseValidated',
  1,
  'A client reported a purchase, and the store confirmed it. Recorded once a profile and transaction.',
  z.object({
    ...observedFields,
    profileId: z.uuid().describe('The profile that reported it; source observing does not make it the owner'),
    transactionId: z.string().nullable().describe('The transaction; null: neither client nor store named one'),
    source: PurchaseSource.nullable().describe('What the client was about; null: not told'),
    origin: PurchaseOrigin.nullable().describe('What it came of; null: not told'),
    clientReported: ClientReport.nullable().describe(
      'What the client says of price and trial: kept, never counted; null: nothing',
    ),
  }),
);
export type PurchaseValidated = EventOf<typeof PurchaseValidated>;
