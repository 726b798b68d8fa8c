import { z } from 'zod';
import { storeNames } from '../domain/purchase.ts';

/** Something that a store tells an app's server. Times in milliseconds since the epoch, of the simulated clock. */
export const Notification = z.object({
  /** The store's own id. */
  id: z.string(),
  store: z.enum(storeNames),
  appId: z.int(),
  environment: z.enum(['production', 'sandbox']),
  purchaseId: z.string(),
  /** The store's word for it. */
  label: z.string(),
  body: z.string(),
  writtenAt: z.number(),
  /** When it is sent, or sent again; null: it has arrived, or is given up. */
  dueAt: z.number().nullable(),
  attempts: z.array(z.object({ at: z.number(), status: z.number().nullable() })),
});
export type Notification = z.output<typeof Notification>;

/** A notification as its store words it. */
export type WrittenNotification = Pick<Notification, 'id' | 'label' | 'body'>;
