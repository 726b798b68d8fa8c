import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedFields, PurchaseOrigin } from './purchase-fields.ts';

export const PurchaseAttributed = defineEvent(
  'PurchaseAttributed',
  1,
  'What the chain came of: the first attribution that the payer sent, or that the app wrote on the ' +
    'payer’s purchase at the store. All its money, earlier and later, belongs to it. It is told once a ' +
    'chain, and once more for each time that a subscription was bought again in it after a lapse: then ' +
    'the money from that purchase on, which `transactionId` is of, belongs to the newer one, and what ' +
    'was paid before the lapse stays as it is, or came of nothing. The newer one can be what another ' +
    'profile had seen, which bought it: then the decision in `origin` is that one’s, and the money the ' +
    'payer’s.',
  z.object({
    ...observedFields,
    payerProfileId: z.uuid().describe('Whose revenue it is'),
    transactionId: z.string().nullable().describe('The transaction that it was told with; null: none was named'),
    origin: PurchaseOrigin.describe('What the chain, or this purchase of it, came of'),
  }),
);
export type PurchaseAttributed = EventOf<typeof PurchaseAttributed>;
