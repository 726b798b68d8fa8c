import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedFields } from './purchase-fields.ts';

/**
 * A profile became the owner of a chain and has its access; `formerProfileId` lost it in the same moment.
 * `payerProfileId` is the first owner, for ever: the chain's revenue is its, earlier and later money alike.
 * `by`: the client's report, or the profile id that the app gave the store. Times in milliseconds.
 */
export const PurchaseClaimed = defineEvent(
  'PurchaseClaimed',
  1,
  z.object({
    ...observedFields,
    profileId: z.uuid(),
    formerProfileId: z.uuid().nullable(),
    payerProfileId: z.uuid(),
    by: z.enum(['client', 'store_account']),
    claimedAt: z.int(),
  }),
);
export type PurchaseClaimed = EventOf<typeof PurchaseClaimed>;
