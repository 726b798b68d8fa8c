import type { PurchaseEnvironment } from '@paywright/contracts';
import { z } from 'zod';

/** How a store is asked about a chain. Purchase tokens are secrets: only sealed is this ever written down. */
export const LookUpSubject = z.discriminatedUnion('store', [
  z.object({
    store: z.literal('app_store'),
    originalTransactionId: z.string(),
    environment: z.enum(['production', 'sandbox']) satisfies z.ZodType<PurchaseEnvironment>,
  }),
  z.object({
    store: z.literal('play_store'),
    purchaseToken: z.string(),
    kind: z.enum(['subscription', 'one_time']).nullable(),
    orderId: z.string().nullable(),
    /** Asked for the sake of this order alone, which Google did not show at that time (milliseconds). */
    unreadSince: z.int().optional(),
  }),
  z.object({
    store: z.literal('stripe'),
    subject: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('subscription'), id: z.string() }),
      z.object({ kind: z.literal('payment'), id: z.string() }),
      z.object({ kind: z.literal('charge'), id: z.string(), paymentIntent: z.string().nullable() }),
    ]),
  }),
]);
export type LookUpSubject = z.output<typeof LookUpSubject>;

/** How a purchase is asked about for the sake of an order that Google did not show. */
export type UnreadOrder = Extract<LookUpSubject, { store: 'play_store' }> & {
  readonly orderId: string;
  readonly unreadSince: number;
};

export const isUnreadOrder = (subject: LookUpSubject): subject is UnreadOrder =>
  subject.store === 'play_store' && subject.orderId !== null && subject.unreadSince !== undefined;
