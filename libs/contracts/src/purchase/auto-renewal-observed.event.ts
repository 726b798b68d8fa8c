import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedAt, observedFields } from './purchase-fields.ts';

export const AutoRenewalObserved = defineEvent(
  'AutoRenewalObserved',
  1,
  'The store’s word on renewal at `observedAt`, which came after newer news of the subscription and so ' +
    'does not move it: whether it was to renew, and when that was switched off, if it said so. The App ' +
    'Store tells of the moment once, in a notification, so it dates what SubscriptionChanged said ' +
    'without one.',
  z.object({
    ...observedFields,
    observedAt,
    willRenew: z.boolean().describe('Whether it was to renew'),
    unsubscribedAt: z
      .int()
      .nullable()
      .describe('When renewal was switched off, in milliseconds since the epoch; null: not told'),
  }),
);
export type AutoRenewalObserved = EventOf<typeof AutoRenewalObserved>;
