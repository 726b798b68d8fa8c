import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { chainFields } from './purchase-fields.ts';

/**
 * The owner of a chain was erased: nobody owns it now (`profileId` is null), and whoever claims it next is its owner.
 * Its payer stays. `releasedAt`: when the owner was erased, in milliseconds.
 */
export const PurchaseReleased = defineEvent(
  'PurchaseReleased',
  1,
  z.object({ ...chainFields, formerProfileId: z.uuid(), releasedAt: z.int() }),
);
export type PurchaseReleased = EventOf<typeof PurchaseReleased>;
