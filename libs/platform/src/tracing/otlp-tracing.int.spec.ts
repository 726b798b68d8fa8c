import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger.ts';
import { startOtlpCollector, type OtlpCollector } from '../testing/otlp-collector.ts';
import { parseTraceparent } from '../traceparent.ts';
import { openTracing, type Tracing } from './open-tracing.ts';
import { noTracer } from './tracer.ts';

const sampledParent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const unsampledParent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
const service = { name: 'profile', instance: 2 };

let collector: OtlpCollector;
let lines: string[];
let tracing: Tracing;

const open = (more: { OTEL_EXPORTER_OTLP_ENDPOINT?: string; OTEL_EXPORTER_OTLP_HEADERS?: string; ratio?: number }) => {
  const { ratio: OTEL_TRACES_SAMPLER_ARG = 1, ...config } = more;
  const logger = createLogger({ service: 'profile', level: 'debug' }, { write: (line) => void lines.push(line) });
  return openTracing({ OTEL_TRACES_SAMPLER_ARG, ...config }, service, logger);
};

beforeEach(async () => {
  lines = [];
  collector = await startOtlpCollector();
  tracing = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
});
afterEach(async () => {
  await tracing.stop();
  await collector[Symbol.asyncDispose]();
});

describe('tracing by OTLP', () => {
  it('sends a span with its parent, its service and its attributes', async () => {
    const attributes = { 'http.route': '/v2/profiles', count: 3 };
    const span = tracing.tracer.start('POST', { kind: 'server', parent: sampledParent, attributes });
    span?.end();
    await tracing.stop();

    expect(collector.spans).toMatchObject([
      {
        service: 'profile',
        name: 'POST',
        kind: 2,
        traceId: 'a'.repeat(32),
        parentSpanId: 'b'.repeat(16),
        spanId: parseTraceparent(span!.traceparent)?.spanId,
        attributes,
      },
    ]);
  });

  it('begins a trace without a parent, whose parts carry it on', async () => {
    const whole = tracing.tracer.start('whole', { kind: 'server', parent: null });
    const part = tracing.tracer.start('part', { kind: 'internal', parent: whole!.traceparent });
    part?.end();
    whole?.end();
    await tracing.stop();

    const [first, second] = collector.spans;
    expect(first).toMatchObject({ name: 'part', traceId: second!.traceId, parentSpanId: second!.spanId });
    expect(second!.parentSpanId ?? '').toBe('');
  });

  it.each([
    ['that is not sampled', unsampledParent],
    ['that is malformed', 'nonsense'],
  ])('records nothing of a trace %s', (_, parent) => {
    expect(tracing.tracer.start('part', { kind: 'internal', parent })).toBeNull();
  });

  it('begins as many traces as the ratio says', async () => {
    const rare = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ratio: 0.1 });
    const begun = Array.from({ length: 2_000 }, () => rare.tracer.start('root', { kind: 'server', parent: null }));
    const recorded = begun.filter((span) => span !== null).length;
    await rare.stop();
    // 200 expected; six standard deviations of 13.4 to either side.
    expect(recorded).toBeGreaterThan(120);
    expect(recorded).toBeLessThan(280);
  });

  it('tells of a failure its type, and nothing of its message', async () => {
    const span = tracing.tracer.start('part', { kind: 'internal', parent: sampledParent });
    span?.end(new RangeError('someone@example.com is too long'));
    await tracing.stop();
    expect(collector.spans).toMatchObject([{ status: { code: 2 }, attributes: { 'error.type': 'RangeError' } }]);
    expect(JSON.stringify(collector.spans)).not.toContain('example.com');
  });

  it('sends the headers that the collector asks for', async () => {
    const { url } = collector;
    const asked = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a=b, x-b=c,authorization=Basic%20YTpi%2C%3D%3D',
    });
    asked.tracer.start('root', { kind: 'server', parent: null })?.end();
    await asked.stop();
    expect(collector.headers.at(-1)).toMatchObject({
      'x-key': 'a=b',
      'x-b': 'c',
      authorization: 'Basic YTpi,==',
    });
  });

  it('says so when the collector is away, and stops before it would be cut off', async () => {
    const away = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    away.tracer.start('root', { kind: 'server', parent: null })?.end();
    await away.stop();
    expect(lines.at(-1)).toContain('The last traces were not sent');
    expect(lines.at(-1)).toContain('ECONNREFUSED'); // its own end: whoever is cut off by the guard behind it is told of a Timeout
  });

  it('is nothing without a collector', async () => {
    expect((await open({})).tracer).toBe(noTracer);
  });
});
