import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EventsReported, ReportEvents } from '@paywright/contracts';
import { decide, isRefusal } from '@paywright/event-sourcing';
import { commandFor, specification } from '@paywright/event-sourcing/testing';
import fc from 'fast-check';
import { impressionDecider } from './impression.ts';

const { given } = specification(impressionDecider);

type Reported = ReportEvents['body']['events'][number];

const profileId = randomUUID();
const shown = (paywallId: number | null, more: Partial<Reported> = {}): Reported => ({
  eventId: randomUUID(),
  eventType: 'paywall_shown',
  decisionId: null,
  paywallId,
  placementId: 'onboarding',
  aiPricingModelId: null,
  abTestId: null,
  isExperiment: false,
  foreignToken: false,
  ...more,
});
const report = (events: Reported[]) => commandFor(ReportEvents, { key: profileId, body: { events } });
const reported = (events: readonly (readonly [Reported, boolean])[]) =>
  EventsReported.of({
    appId: 1,
    profileId,
    events: events.map(([event, uniqueImpression]) => ({ ...event, uniqueImpression })),
  });

describe('ReportEvents', () => {
  it('stores a batch whole, in its order, as it was sent', () => {
    const batch = [shown(7), shown(null, { eventType: 'button_tapped', placementId: null }), shown(8)];
    given([])
      .when(report(batch))
      .then([
        reported([
          [batch[0]!, true],
          [batch[1]!, false],
          [batch[2]!, true],
        ]),
      ])
      .thenReply({});
  });

  it('counts a paywall once, within a batch and over batches, whatever the placement', () => {
    const [first, again, elsewhere] = [shown(7), shown(7), shown(7, { placementId: 'settings' })];
    given([])
      .when(report([first, again]))
      .then([
        reported([
          [first, true],
          [again, false],
        ]),
      ]);
    given([reported([[first, true]])])
      .when(report([elsewhere]))
      .then([reported([[elsewhere, false]])]);
  });

  it('counts no other event, and does not take it for a showing', () => {
    const [closed, first] = [shown(7, { eventType: 'paywall_closed' }), shown(7)];
    given([reported([[closed, false]])])
      .when(report([closed, first]))
      .then([
        reported([
          [closed, false],
          [first, true],
        ]),
      ]);
  });

  it('counts no showing of an unknown paywall', () => {
    const event = shown(null);
    given([])
      .when(report([event]))
      .then([reported([[event, false]])]);
  });

  it('counts a showing under another profile’s token: this profile saw it', () => {
    const [foreign, own] = [shown(7, { foreignToken: true }), shown(7)];
    given([])
      .when(report([foreign]))
      .then([reported([[foreign, true]])]);
    given([reported([[foreign, true]])])
      .when(report([own]))
      .then([reported([[own, false]])]);
  });
});

describe('any sequence of batches', () => {
  const event = fc
    .record({ eventType: fc.constantFrom('paywall_shown', 'paywall_closed'), paywallId: fc.option(fc.nat(5)) })
    .map(({ paywallId, eventType }) => shown(paywallId, { eventType }));
  const batches = fc.array(fc.array(event, { minLength: 1, maxLength: 8 }), { maxLength: 12 });

  it('marks exactly the first showing of each paywall, and remembers just those that were shown', () => {
    fc.assert(
      fc.property(batches, (all) => {
        let seen = impressionDecider.initialState;
        const events = all.flatMap((batch) => {
          const decision = decide(impressionDecider, report(batch), seen);
          if (isRefusal(decision)) throw new Error(decision.code);
          seen = decision.events.reduce(impressionDecider.evolve, seen);
          return decision.events.flatMap(({ body }) => body.events);
        });

        const showings = events.filter(
          ({ eventType, paywallId }) => eventType === 'paywall_shown' && paywallId !== null,
        );
        const firsts = showings.filter(
          (one, index) => showings.findIndex(({ paywallId }) => paywallId === one.paywallId) === index,
        );
        expect(events.filter(({ uniqueImpression }) => uniqueImpression)).toEqual(firsts);
        expect(seen).toEqual(new Set(showings.map(({ paywallId }) => paywallId)));
        expect(events).toEqual(all.flat().map((event) => expect.objectContaining(event)));

        const { snapshot } = impressionDecider;
        expect(snapshot?.decode(JSON.parse(JSON.stringify(snapshot.encode(seen))))).toEqual(seen);
      }),
    );
  });
});
