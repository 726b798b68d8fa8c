import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CustomAttributeSet, type RecordedEvent } from '@paywright/contracts';
import fc from 'fast-check';
import { UndecodableMessage } from '../errors.ts';
import { received } from '../testing/messages.ts';
import { toCloudEvent } from './cloud-event.ts';
import { decodeEvent } from './decode-event.ts';

const stream = randomUUID();
const body = { appId: 1, profileId: stream, attributeId: randomUUID(), key: 'goal', value: 'sleep' };
const event: RecordedEvent = {
  ...CustomAttributeSet.of(body),
  id: randomUUID(),
  stream,
  streamVersion: 2,
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  correlationId: randomUUID(),
  causationId: randomUUID(),
};
const published = toCloudEvent('profile', event, stream, 'trace');
const message = received({ ...published, headers: published.headers, value: Buffer.from(String(published.value)) });
const withHeaders = (headers: Record<string, string>) => ({ ...message, headers: { ...message.headers, ...headers } });

describe('an event on its topic', () => {
  it('is a CloudEvent in binary mode', () => {
    expect(published).toEqual({
      topic: 'profile.events',
      key: stream,
      value: JSON.stringify(body),
      headers: {
        ce_specversion: '1.0',
        ce_id: event.id,
        ce_source: '/paywright/profile',
        ce_type: 'CustomAttributeSet.v1',
        ce_time: '2026-01-02T03:04:05.006Z',
        ce_subject: stream,
        ce_dataschema: 'urn:paywright:event:CustomAttributeSet:1',
        ce_partitionkey: stream,
        ce_streamversion: '2',
        ce_correlationid: event.correlationId,
        ce_causationid: event.causationId,
        'content-type': 'application/json',
        traceparent: 'trace',
      },
    });
  });

  it('is read as it was recorded', () => {
    expect(decodeEvent(message)).toEqual({ ...event, service: 'profile' });
  });

  it.each([
    ['another CloudEvents version', withHeaders({ ce_specversion: '0.3' })],
    ['an unknown type', withHeaders({ ce_type: 'Nothing.v1' })],
    ['an unknown version', withHeaders({ ce_type: 'CustomAttributeSet.v2' })],
    ['a type of another service', withHeaders({ ce_source: '/paywright/catalog' })],
    ['an unknown source', withHeaders({ ce_source: '/someone' })],
    ['a source that is named by half', withHeaders({ ce_source: 'profile' })],
    ['no version of the stream', withHeaders({ ce_streamversion: '0' })],
    ['a time that is none', withHeaders({ ce_time: 'yesterday' })],
    ['a tombstone', { ...message, value: null }],
    ['a body that is not JSON', { ...message, value: Buffer.from('{') }],
    ['a body of another shape', { ...message, value: Buffer.from('{"appId":"1"}') }],
  ])('is not read with %s', (_, bad) => {
    expect(() => decodeEvent(bad)).toThrow(UndecodableMessage);
  });

  it('is read or refused, whatever it holds', () => {
    const headers = fc.dictionary(fc.constantFrom(...Object.keys(message.headers)), fc.string());
    fc.assert(
      fc.property(headers, fc.string(), (random, value) => {
        try {
          decodeEvent({ ...withHeaders(random), value: Buffer.from(value) });
        } catch (error) {
          expect(error).toBeInstanceOf(UndecodableMessage);
        }
      }),
    );
  });

  it('is read whatever its ids, version and texts', () => {
    const ids = fc.record({ id: fc.uuid(), correlationId: fc.uuid(), causationId: fc.uuid() });
    const texts = fc.record({ key: fc.string({ unit: 'grapheme' }), value: fc.string({ unit: 'grapheme' }) });
    fc.assert(
      fc.property(ids, texts, fc.integer({ min: 1, max: 999_999_999 }), (named, said, streamVersion) => {
        const recorded = { ...event, ...named, streamVersion, ...CustomAttributeSet.of({ ...body, ...said }) };
        const { headers, value, ...rest } = toCloudEvent('profile', recorded, stream, 'trace');
        const read = decodeEvent(received({ ...rest, headers, value: Buffer.from(String(value)) }));
        expect(read).toEqual({ ...recorded, service: 'profile' });
      }),
    );
  });
});
