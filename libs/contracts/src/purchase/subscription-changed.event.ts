import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { SubscriptionFact } from './purchase-facts.ts';
import { Labels, observedFields } from './purchase-fields.ts';

/**
 * A subscription stands otherwise than before, as the store said at `observedAt` (milliseconds): the whole of it.
 * Nothing older moves it from here on. Whether it gives access now is for the reader's clock to say.
 */
export const SubscriptionChanged = defineEvent(
  'SubscriptionChanged',
  1,
  z.object({ ...observedFields, observedAt: z.int(), subscription: SubscriptionFact, labels: Labels }),
);
export type SubscriptionChanged = EventOf<typeof SubscriptionChanged>;
