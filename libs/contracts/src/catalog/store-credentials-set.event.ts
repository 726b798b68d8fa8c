import { z } from 'zod';
import { actor, appId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { Store } from '../purchase/purchase-facts.ts';

export const StoreCredentialsSet = defineEvent(
  'StoreCredentialsSet',
  1,
  'The app has credentials for the store from now on, or others than before. None of them is told.',
  z.object({
    appId,
    actor,
    store: Store.describe('The store'),
  }),
);
export type StoreCredentialsSet = EventOf<typeof StoreCredentialsSet>;
