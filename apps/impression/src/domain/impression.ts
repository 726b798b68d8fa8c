import { EventsReported, type ReportEvents } from '@paywright/contracts';
import type { Accepted, Decider, Snapshot } from '@paywright/event-sourcing';
import { z } from 'zod';

/** The paywalls that a profile has seen, by their integers. */
export type SeenPaywalls = ReadonlySet<number>;

type Reported = ReportEvents['body']['events'][number];

/** Which paywall an event shows to the profile, if it shows one that is known. */
const shownPaywall = ({ eventType, paywallId }: Reported): number | null =>
  eventType === 'paywall_shown' ? paywallId : null;

/**
 * Stores a client's batch whole, in its order. The first showing of a paywall is its unique impression, within
 * the batch too. A showing under another profile's token is still a showing to this profile, so it counts here;
 * it is learning that leaves it out, by its mark.
 */
function reportEvents(
  { appId, key: profileId, body }: ReportEvents,
  seenBefore: SeenPaywalls,
): Accepted<EventsReported> {
  const seen = new Set(seenBefore);
  const events = body.events.map((event) => {
    const paywallId = shownPaywall(event);
    const uniqueImpression = paywallId !== null && !seen.has(paywallId);
    if (uniqueImpression) seen.add(paywallId);
    return { ...event, uniqueImpression };
  });
  return { events: [EventsReported.of({ appId, profileId, events })], reply: {} };
}

function evolve(seen: SeenPaywalls, { body }: EventsReported): SeenPaywalls {
  const shown = body.events.filter(({ uniqueImpression }) => uniqueImpression).map(shownPaywall);
  return shown.length === 0 ? seen : new Set([...seen, ...shown.filter((paywallId) => paywallId !== null)]);
}

const snapshot: Snapshot<SeenPaywalls> = {
  code: 'seen-paywalls-1',
  every: 100,
  encode: (seen) => [...seen],
  decode: (json) => new Set(z.array(z.int()).parse(json)),
};

export const impressionDecider: Decider<ReportEvents, SeenPaywalls, EventsReported> = {
  initialState: new Set(),
  evolve,
  decide: { ReportEvents: reportEvents },
  snapshot,
};
