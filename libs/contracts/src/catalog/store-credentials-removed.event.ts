import { z } from 'zod';
import { actor, appId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { Store } from '../purchase/purchase-facts.ts';

export const StoreCredentialsRemoved = defineEvent(
  'StoreCredentialsRemoved',
  1,
  'The app has no credentials for the store any more.',
  z.object({
    appId,
    actor,
    store: Store.describe('The store'),
  }),
);
export type StoreCredentialsRemoved = EventOf<typeof StoreCredentialsRemoved>;
