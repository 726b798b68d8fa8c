import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { chainFields } from './purchase-fields.ts';

export const PurchaseReleased = defineEvent(
  'PurchaseReleased',
  1,
  'The owner of a chain was erased: nobody owns it now (`profileId` is null), and whoever claims it ' +
    'next is its owner. Its payer stays.',
  z.object({
    ...chainFields,
    formerProfileId: z.uuid().describe('The owner until then'),
    releasedAt: z.int().describe('When that owner was erased, in milliseconds since the epoch'),
  }),
);
export type PurchaseReleased = EventOf<typeof PurchaseReleased>;
