import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { RecordingTracer } from '../testing/recording-tracer.ts';
import { onBehalfOf, tracedPart } from './work-at-hand.ts';

const begin = (tracer: RecordingTracer, name: string) => tracer.start(name, { kind: 'consumer', parent: null })!;

describe('work at hand', () => {
  it('is part of each span that it is done on behalf of', async () => {
    const tracer = new RecordingTracer();
    const wholes = [begin(tracer, 'one'), begin(tracer, 'two')];

    const result = await onBehalfOf(wholes, async () => {
      await sleep(1);
      return tracedPart(tracer, 'append', { kind: 'client' }, async () => 'done');
    });

    expect(result).toBe('done');
    const parts = tracer.spans.filter(({ name }) => name === 'append');
    expect(parts.map(({ parent }) => parent)).toEqual(wholes.map(({ traceparent }) => traceparent));
    expect(parts.every(({ error }) => error === null)).toBe(true);
  });

  it('does not mix with what is done at the same time', async () => {
    const tracer = new RecordingTracer();
    const part = async (name: string, ms: number) => {
      const whole = begin(tracer, name);
      await onBehalfOf([whole], async () => {
        await sleep(ms);
        await tracedPart(tracer, `part of ${name}`, { kind: 'client' }, async () => undefined);
      });
      return whole.traceparent;
    };
    const [slow, fast] = await Promise.all([part('slow', 10), part('fast', 2)]);
    const parentOf = (name: string) => tracer.spans.find((span) => span.name === name)?.parent;
    expect([parentOf('part of slow'), parentOf('part of fast')]).toEqual([slow, fast]);
  });

  it('ends its span with the error, which goes on', async () => {
    const tracer = new RecordingTracer();
    const error = new Error('away');
    const fail = () => tracedPart(tracer, 'append', { kind: 'client' }, () => Promise.reject(error));
    await expect(onBehalfOf([begin(tracer, 'one')], fail)).rejects.toBe(error);
    expect(tracer.spans.at(-1)).toMatchObject({ name: 'append', error });
  });

  it('is recorded nowhere where nobody asked for it', async () => {
    const tracer = new RecordingTracer();
    await tracedPart(tracer, 'append', { kind: 'client' }, async () => undefined);
    expect(tracer.spans).toEqual([]);
  });
});
