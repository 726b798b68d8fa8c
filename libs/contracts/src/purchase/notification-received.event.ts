import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { chainFields, StoreNotification } from './purchase-fields.ts';

export const NotificationReceived = defineEvent(
  'NotificationReceived',
  1,
  'A store’s notification of this chain, recorded once, whatever its type.',
  z.object({
    ...chainFields,
    ...StoreNotification.shape,
    hadEffect: z.boolean().describe('Whether it told anything new'),
  }),
);
export type NotificationReceived = EventOf<typeof NotificationReceived>;
