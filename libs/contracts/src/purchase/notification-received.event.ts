import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { chainFields, StoreNotification } from './purchase-fields.ts';

/** A store's notification of this chain, recorded once, whatever its type. `hadEffect`: whether it told anything new. */
export const NotificationReceived = defineEvent(
  'NotificationReceived',
  1,
  z.object({ ...chainFields, ...StoreNotification.shape, hadEffect: z.boolean() }),
);
export type NotificationReceived = EventOf<typeof NotificationReceived>;
