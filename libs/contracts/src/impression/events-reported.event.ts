import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ReportedEvent } from './reported-event.ts';

/**
 * A client's batch, in its order. `uniqueImpression` is true for the first `paywall_shown` of its profile and
 * paywall, over all placements, for ever.
 */
export const EventsReported = defineEvent(
  'EventsReported',
  1,
  z.object({
    appId: z.int(),
    profileId: z.uuid(),
    events: z.array(ReportedEvent.extend({ uniqueImpression: z.boolean() })),
  }),
);
export type EventsReported = EventOf<typeof EventsReported>;
