import { describe, expect, it } from '@jest/globals';
import { eventsOf, topics, type EventTopic } from '@paywright/contracts';
import { publishedSamples } from '@paywright/contracts/testing';
import { eventDecoder, toCloudEvent, type ReceivedEvent, type Service } from '@paywright/messaging';
import { appDecider } from '../../apps/catalog/src/domain/app-decider.ts';
import { impressionDecider } from '../../apps/impression/src/domain/impression.ts';
import { profileDecider } from '../../apps/profile/src/domain/profile.ts';
import { purchaseDecider } from '../../apps/purchase-validation/src/domain/purchase-decider.ts';
import { evolve, initialState } from '../../apps/selection/src/domain/selection-state.ts';
import { foldProfile } from '../../apps/projection/src/profile/fold-profile.ts';

const stream = '0a000000-0000-4000-8000-00000000000a';
const decode = eventDecoder(Object.values(eventsOf).flat());

/** A stream of a service's samples, in the order of its contracts, as today's code reads it. */
function samplesOf(topic: EventTopic, service: Service): readonly ReceivedEvent[] {
  const order = eventsOf[topic].map(({ type }): string => type);
  return publishedSamples()
    .filter(({ type }) => order.includes(type))
    .sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type) || a.version - b.version)
    .map(({ type, version, body }, index) => {
      const ids = { id: stream, correlationId: stream, causationId: stream };
      const event = { ...ids, stream, streamVersion: index + 1, time: Date.UTC(2026, 0, 1), type, version, body };
      const { headers, value } = toCloudEvent(service, event, stream);
      const place = { topic, partition: 0, offset: String(index), timestamp: 0, key: stream };
      return decode({ ...place, headers, value: Buffer.from(String(value)) });
    });
}

/** Every event changes the state, or at least leaves one. @returns the last */
function folded<S>(events: readonly ReceivedEvent[], initial: S, fold: (state: S, event: never) => S): S {
  expect(events.length).toBeGreaterThan(0);
  return events.reduce((state, event) => fold(state, event as never), initial);
}

describe('what was published once, in today’s code', () => {
  it('is a profile', () => {
    const events = samplesOf(topics.profileEvents, 'profile');
    expect(folded(events.slice(0, -1), profileDecider.initialState, profileDecider.evolve)).toMatchObject({
      status: 'present',
    });
    expect(folded(events, profileDecider.initialState, profileDecider.evolve)).toMatchObject({ status: 'erased' });
    expect(folded(events, undefined, foldProfile as (state: unknown, event: never) => unknown)).toMatchObject({
      version: events.length,
    });
  });

  it('is an app', () => {
    const state = folded(samplesOf(topics.catalogEvents, 'catalog'), appDecider.initialState, appDecider.evolve);
    expect(state).not.toEqual(appDecider.initialState);
  });

  it('is decisions and models', () => {
    expect(folded(samplesOf(topics.selectionEvents, 'selection'), initialState, evolve)).not.toEqual(initialState);
  });

  it('is what a profile has seen', () => {
    const { initialState: nothing, evolve: see } = impressionDecider;
    expect(folded(samplesOf(topics.impressionEvents, 'impression'), nothing, see)).not.toEqual(nothing);
  });

  it('is a purchase', () => {
    const { initialState: nothing, evolve: book } = purchaseDecider;
    expect(folded(samplesOf(topics.purchaseEvents, 'purchase'), nothing, book)).not.toEqual(nothing);
  });
});
