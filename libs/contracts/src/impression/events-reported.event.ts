import { z } from 'zod';
import { appId, profileId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { ReportedEvent } from './reported-event.ts';

export const EventsReported = defineEvent(
  'EventsReported',
  1,
  'A client reported a batch of events: paywalls that it showed, and events of its own.',
  z.object({
    appId,
    profileId,
    events: z
      .array(
        ReportedEvent.extend({
          uniqueImpression: z
            .boolean()
            .describe(
              'Whether it is the first paywall_shown of its profile and paywall, over all placements, for ever',
            ),
        }),
      )
      .describe('In the order in which they were reported'),
  }),
);
export type EventsReported = EventOf<typeof EventsReported>;
