import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedFields } from './purchase-fields.ts';

export const PurchaseClaimed = defineEvent(
  'PurchaseClaimed',
  1,
  'A profile became the owner of a chain and has its access.',
  z.object({
    ...observedFields,
    profileId: z.uuid().describe('The new owner'),
    formerProfileId: z.uuid().nullable().describe('Who lost it in the same moment; null: nobody had it'),
    payerProfileId: z
      .uuid()
      .describe('The first owner, for ever: the revenue of the chain is its, earlier and later money alike'),
    by: z
      .enum(['client', 'store_account'])
      .describe("The client's report, or the profile id that the app gave the store"),
    claimedAt: z.int().describe('In milliseconds since the epoch'),
  }),
);
export type PurchaseClaimed = EventOf<typeof PurchaseClaimed>;
