import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { Observation } from './purchase-facts.ts';
import { StoreNotification } from './purchase-fields.ts';

const text = z.string().max(255);

/** The Play purchase that a notification is of; its token as Sealing writes it. */
const PlayNotificationSubject = z.object({
  sealedToken: z.string(),
  kind: z.enum(['subscription', 'one_time']).nullable(),
  orderId: text.nullable(),
  /** Of an order that Google voided: whether all of it, or some of its pieces. Absent: Google does not say. */
  voids: z.enum(['all', 'part']).optional(),
});

/** The object at Stripe that a notification is of. */
const StripeNotificationSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('subscription'), id: text }),
  z.object({ kind: z.literal('payment'), id: text }),
  z.object({ kind: z.literal('customer'), id: text }),
  z.object({ kind: z.literal('charge'), id: text, paymentIntent: text.nullable() }),
]);

/**
 * Takes in a store's notification, verified, whose sender has been told that it was accepted. What it says, or what
 * the store says when it is asked because of it, becomes an ObservePurchase; a store that does not answer is asked
 * again until it does. A subject or an observation of null: recorded, no more. Kafka key: as of ValidatePurchase.
 */
export const TakeNotification = defineCommand(
  'TakeNotification',
  1,
  z.object({
    notification: StoreNotification,
    content: z.discriminatedUnion('store', [
      z.object({ store: z.literal('app_store'), observation: Observation.nullable() }),
      z.object({ store: z.literal('play_store'), subject: PlayNotificationSubject.nullable() }),
      z.object({ store: z.literal('stripe'), subject: StripeNotificationSubject.nullable() }),
    ]),
  }),
  z.object({}),
);
export type TakeNotification = CommandOf<typeof TakeNotification>;
