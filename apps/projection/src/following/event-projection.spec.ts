import { describe, expect, it } from '@jest/globals';
import { CustomAttributeSet, defineEvent, topics } from '@paywright/contracts';
import { eventDecoder } from '@paywright/messaging';
import { z } from 'zod';
import { appId, eventRecord, profileA, received } from '../testing/event-log.ts';
import { eventProjection } from './event-projection.ts';

describe('an event that is kept as JSON', () => {
  const body = z.object({ appId: z.int(), minutes: z.int() });
  const hours = z.object({ appId: z.int(), hours: z.int() });
  const definition = defineEvent('CustomAttributeSet', 2, 'For a test.', body, [
    {
      version: 1,
      body: hours,
      read: (old) => {
        const { appId, hours: count } = hours.parse(old);
        return { appId, minutes: count * 60 };
      },
    },
  ]);
  const projection = eventProjection(
    {
      topic: topics.profileEvents,
      awaited: null,
      read: ({ id, stream, streamVersion }, json) => ({ id, stream, streamVersion, json: json.toString() }),
      load: () => Promise.resolve(new Map()),
      eventsAt: () => Promise.resolve([]),
      store: () => undefined,
    },
    new Set(),
    () => undefined,
    eventDecoder([definition]),
  );
  const jsonOf = (version: number, published: object) => {
    const event = { type: CustomAttributeSet.type, version, body: published };
    return received([eventRecord('profile', profileA, 1, event)]).map((record) => projection.decode(record).json);
  };

  it('is so in the version that the code knows, which its readers parse', () =>
    expect(jsonOf(1, { appId, hours: 2 })).toEqual([JSON.stringify({ appId, minutes: 120 })]));

  it('has all that was published, where it was in that version', () => {
    const published = { appId, minutes: 120, since: 'the next release' };
    expect(jsonOf(2, published)).toEqual([JSON.stringify(published)]);
  });
});
