import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { defineEvent, eventsOf } from '@paywright/contracts';
import { publishedSamples } from '@paywright/contracts/testing';
import { z } from 'zod';
import { eventTopicOf, services, type Service } from '../services.ts';
import { received } from '../testing/messages.ts';
import { toCloudEvent } from './cloud-event.ts';
import { decodeEvent, eventDecoder } from './decode-event.ts';

const stream = randomUUID();

function message(service: Service, type: string, version: number, body: unknown) {
  const ids = { id: randomUUID(), correlationId: randomUUID(), causationId: randomUUID() };
  const record = toCloudEvent(service, { ...ids, stream, streamVersion: 1, time: 0, type, version, body }, stream);
  return received({ ...record, headers: record.headers, value: Buffer.from(String(record.value)) });
}

const serviceOf = (type: string) =>
  services.find((service) => eventsOf[eventTopicOf[service]].some((known) => known.type === type))!;

it.each(publishedSamples())('reads $type version $version as it was published once', ({ type, version, body }) => {
  const known = Object.values(eventsOf)
    .flat()
    .find((definition) => definition.type === type);
  const event = decodeEvent(message(serviceOf(type), type, version, body));
  expect(event).toMatchObject({ type, version: known?.version });
  expect(known?.body.safeParse(event.body).success).toBe(true);
});

describe('an event of another version', () => {
  const body = z.object({ minutes: z.int() });
  const definition = defineEvent('ProfileUpdated', 2, 'For a test.', body, [
    {
      version: 1,
      body: z.object({ hours: z.int() }),
      read: (old) => ({ minutes: z.object({ hours: z.int() }).parse(old).hours * 60 }),
    },
    {
      version: 3,
      body: z.object({ seconds: z.int() }),
      read: (next) => ({ minutes: z.object({ seconds: z.int() }).parse(next).seconds / 60 }),
    },
  ]);
  const decode = eventDecoder([definition]);

  it.each([
    [1, { hours: 2 }],
    [2, { minutes: 120 }],
    [3, { seconds: 7_200 }],
  ])('is read as the version that the code knows: %i', (version, published) => {
    const event = decode(message('profile', 'ProfileUpdated', version, published));
    expect(event).toMatchObject({ version: 2, body: { minutes: 120 } });
  });

  it('is checked against its own schema', () => {
    expect(() => decode(message('profile', 'ProfileUpdated', 1, { minutes: 2 }))).toThrow('hours');
  });

  it('that nobody knows is no event', () => {
    expect(() => decode(message('profile', 'ProfileUpdated', 4, { minutes: 2 }))).toThrow('type and version');
  });
});
