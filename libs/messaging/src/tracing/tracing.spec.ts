import { describe, expect, it } from '@jest/globals';
import { noTracer } from '@paywright/platform';
import { RecordingTracer } from '@paywright/platform/testing';
import type { ReceivedMessage } from '../message.ts';
import { traceBatches } from './trace-batches.ts';
import { tracePublishing } from './trace-publishing.ts';

const sampled = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const unsampled = `00-${'c'.repeat(32)}-${'c'.repeat(16)}-00`;

const received = (offset: number, traceparent?: string): ReceivedMessage => ({
  topic: 'profile.commands',
  partition: 3,
  offset: String(offset),
  key: 'key',
  headers: { id: `command-${offset}`, type: 'SaveProfile', ...(traceparent !== undefined && { traceparent }) },
  value: null,
  timestamp: 0,
});
const nothing = { publish: [], deadLetters: [] };

describe('traceBatches', () => {
  it('hands a message of a recorded trace on with a span of its own, and the others as they are', async () => {
    const tracer = new RecordingTracer();
    const batch = [received(1, sampled('a')), received(2), received(3, unsampled), received(4, sampled('b'))];
    let seen: readonly ReceivedMessage[] = [];
    await traceBatches(tracer, 'process', async (messages) => ((seen = messages), nothing))(batch);

    expect(tracer.spans).toMatchObject([
      { name: 'process SaveProfile', kind: 'consumer', parent: sampled('a'), error: null },
      { name: 'process SaveProfile', kind: 'consumer', parent: sampled('b'), error: null },
    ]);
    const [first, second] = tracer.spans;
    expect(seen.map(({ headers }) => headers['traceparent'])).toEqual([
      first!.traceparent,
      undefined,
      unsampled,
      second!.traceparent,
    ]);
    expect(first!.attributes).toMatchObject({
      'messaging.destination.name': 'profile.commands',
      'paywright.request_id': 'command-1',
    });
  });

  it('tells which message became a dead letter', async () => {
    const tracer = new RecordingTracer();
    const handle = traceBatches(tracer, 'process', async ([message]) => ({
      publish: [],
      deadLetters: [{ message: message!, reason: 'none of ours' }],
    }));
    await handle([received(1, sampled('a')), received(2, sampled('b'))]);
    expect(tracer.spans.map(({ error }) => error)).toEqual(['dead letter', null]);
  });

  it('ends all spans of a batch that failed', async () => {
    const tracer = new RecordingTracer();
    const error = new Error('away');
    const handle = traceBatches(tracer, 'process', () => Promise.reject(error));
    await expect(handle([received(1, sampled('a'))])).rejects.toBe(error);
    expect(tracer.spans).toMatchObject([{ error }]);
  });

  it('is the handler itself where nobody collects', () => {
    const handler = async () => nothing;
    expect(traceBatches(noTracer, 'process', handler)).toBe(handler);
  });
});

describe('tracePublishing', () => {
  it('has a message of a recorded trace carry the span of its publication', () => {
    const tracer = new RecordingTracer();
    const message = (traceparent?: string) => ({
      topic: 'profile.events',
      key: 'key',
      headers: { ce_id: 'id', ...(traceparent !== undefined && { traceparent }) },
      value: null,
    });
    const { messages, spans } = tracePublishing(tracer, [message(sampled('a')), message(), message(unsampled)]);

    expect(spans).toHaveLength(1);
    expect(tracer.spans).toMatchObject([{ name: 'publish profile.events', kind: 'producer', parent: sampled('a') }]);
    const carried = [{ ce_id: 'id', traceparent: spans[0]!.traceparent }, { ce_id: 'id' }];
    expect(messages.map(({ headers }) => headers)).toEqual([...carried, { ce_id: 'id', traceparent: unsampled }]);
  });
});
