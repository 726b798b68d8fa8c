import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { Store } from '../purchase/purchase-facts.ts';

/** The app has no credentials for the store any more. */
export const StoreCredentialsRemoved = defineEvent(
  'StoreCredentialsRemoved',
  1,
  z.object({
    appId: z.int().describe('The app'),
    actor: z.string().describe('Name of the admin token that asked for it'),
    store: Store.describe('The store'),
  }),
);
export type StoreCredentialsRemoved = EventOf<typeof StoreCredentialsRemoved>;
