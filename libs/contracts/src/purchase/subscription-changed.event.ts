import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { Decimal, SubscriptionFact } from './purchase-facts.ts';
import { Labels, observedAt, observedFields } from './purchase-fields.ts';

export const SubscriptionChanged = defineEvent(
  'SubscriptionChanged',
  1,
  'A subscription stands otherwise than before, as the store said at `observedAt`: the whole of it. ' +
    'Nothing older moves it from here on. Whether it gives access now is for the reader’s clock to say. ' +
    '`addOns` are the subscriptions that were bought with it, as on Play and at Stripe, each with dates, ' +
    'renewal and access of its own. One that is not among them any more is over; absent, all are. If any ' +
    'of them renews, `subscription` does. `renewalUsd` is the next charge in USD: the renewal prices of ' +
    'those whose period ends first, exact to a millionth, each rounded half up, at the rate of the UTC ' +
    'day that its period began on. Absent where one of them tells none, or as long as a rate is not ' +
    'known: nobody asks for one again.',
  z.object({
    ...observedFields,
    observedAt,
    subscription: SubscriptionFact.describe('How it stands'),
    addOns: z.array(SubscriptionFact).optional().describe('What was bought with it and goes on; absent: nothing'),
    renewalUsd: Decimal.optional().describe(
      'The next charge in USD, exact to a millionth, a decimal text; absent: not known',
    ),
    labels: Labels,
  }),
);
export type SubscriptionChanged = EventOf<typeof SubscriptionChanged>;
