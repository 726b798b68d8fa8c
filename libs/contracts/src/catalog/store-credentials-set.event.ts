import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { Store } from '../purchase/purchase-facts.ts';

/** The app has credentials for the store from now on, or others than before. None of them is told. */
export const StoreCredentialsSet = defineEvent(
  'StoreCredentialsSet',
  1,
  z.object({
    appId: z.int().describe('The app'),
    actor: z.string().describe('Name of the admin token that asked for it'),
    store: Store.describe('The store'),
  }),
);
export type StoreCredentialsSet = EventOf<typeof StoreCredentialsSet>;
