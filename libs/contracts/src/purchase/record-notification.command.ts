import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { Store } from './purchase-facts.ts';
import { StoreNotification } from './purchase-fields.ts';

/** Records a notification that says nothing that we understand, or that the store could not be asked about. */
export const RecordNotification = defineCommand(
  'RecordNotification',
  1,
  z.object({ store: Store, notification: StoreNotification }),
  z.object({}),
);
export type RecordNotification = CommandOf<typeof RecordNotification>;
