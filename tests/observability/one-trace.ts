import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CollectedSpan, OtlpCollector } from '@paywright/platform/testing';
import { observedExpressions } from '@paywright/deploy/observability/observed-expressions.ts';
import { z } from 'zod';
import type { Stack } from '../stack/stack.ts';

const patient = 180_000;
const email = 'mark-email-3c5d@example.com';
const device = { country: 'DE', device: 'Pixel 9', os: 'Android 15', platform: 'android', appVersion: '1.0', email };

const Saved = z.object({ data: z.object({ profileId: z.string() }) });
const LogLine = z.object({ service: z.string(), requestId: z.string().optional() });

/** What it takes for a collector to get every trace. */
export const tracing = ({ url }: OtlpCollector): NodeJS.ProcessEnv => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_TRACES_SAMPLER_ARG: '1',
});

/** @param stack that logs at debug, and sends its traces to the collector */
export function oneTraceCases(stack: () => Stack, collector: () => OtlpCollector): void {
  let requestId: string;

  beforeAll(async () => {
    const answer = await post('/v2/profiles', device);
    expect(answer.status).toBe(201);
    requestId = answer.headers.get('x-request-id') ?? '';
    const { profileId } = Saved.parse(await answer.json()).data;
    expect((await post('/v2/paywall', { profileId, placementId: 'onboarding' })).status).toBe(200);
  }, patient);

  const post = (path: string, body: unknown) =>
    fetch(stack().gateways[0]! + path, {
      method: 'POST',
      headers: { authorization: stack().app.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  /** The trace of the write, once it is complete. */
  async function traceOfWrite(): Promise<readonly CollectedSpan[]> {
    for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 100) {
      const request = collector().spans.find(({ name, attributes }) => isServer(name) && isOurs(attributes));
      const trace = collector().spans.filter(({ traceId }) => traceId === request?.traceId);
      if (isWhole(trace)) return trace;
      await sleep(100);
    }
    throw new Error(
      `The trace did not arrive; there are: ${collector()
        .spans.map(({ name }) => name)
        .join(', ')}`,
    );
  }
  /** Services send by themselves: a parent may come behind its parts. */
  function isWhole(trace: readonly CollectedSpan[]): boolean {
    const ids = new Set(trace.map(({ spanId }) => spanId));
    const isFamily = trace.every(({ parentSpanId }) => !parentSpanId || ids.has(parentSpanId));
    return isFamily && trace.some(({ name }) => name.startsWith('project '));
  }

  const isServer = (name: string) => name === 'POST /v2/profiles';
  const isOurs = (attributes: CollectedSpan['attributes']) => attributes['paywright.request_id'] === requestId;

  /** Each span as `service: name`, with its parent's. */
  function familyOf(trace: readonly CollectedSpan[]): ReadonlyMap<string, string | null> {
    const labelOf = (span: CollectedSpan) => `${span.service}: ${span.name}`;
    const byId = new Map(trace.map((span) => [span.spanId, span]));
    return new Map(
      trace.map((span) => {
        const parent = span.parentSpanId ? byId.get(span.parentSpanId) : undefined;
        return [labelOf(span), parent ? labelOf(parent) : null];
      }),
    );
  }

  describe('a write through all services', () => {
    it('is one trace, from the request to the read model and back', async () => {
      const family = familyOf(await traceOfWrite());
      expect(Object.fromEntries(family)).toEqual({
        'gateway: POST /v2/profiles': null,
        'gateway: await SaveProfile': 'gateway: POST /v2/profiles',
        'gateway: publish profile.commands': 'gateway: await SaveProfile',
        'profile: process SaveProfile': 'gateway: publish profile.commands',
        'profile: append events': 'profile: process SaveProfile',
        'profile: publish profile.events': 'profile: process SaveProfile',
        'projection: project ProfileCreated.v1': 'profile: publish profile.events',
        'gateway: await read model': 'gateway: POST /v2/profiles',
      });
    });

    it('leaves nothing personal and no secret in the traces', async () => {
      await traceOfWrite();
      const text = JSON.stringify(collector().spans);
      expect([email, stack().app.secretKey, 'Pixel 9'].filter((mark) => text.includes(mark))).toEqual([]);
    });

    it('has one request id in the log lines of gateway and service', () => {
      const lines = stack()
        .logs()
        .split('\n')
        .filter((line) => line.includes(requestId))
        .map((line) => LogLine.parse(JSON.parse(line)));
      const services = lines.filter((line) => line.requestId === requestId).map(({ service }) => service);
      expect(new Set(services)).toEqual(new Set(['gateway', 'profile']));
    });
  });

  describe('the metrics of the running services', () => {
    const scraped = async () => {
      const texts = await Promise.all(stack().managements.map(async (url) => (await fetch(`${url}/metrics`)).text()));
      return texts.join('\n');
    };

    it('are those that dashboard and alerts ask for', async () => {
      const exposed = new Set([...(await scraped()).matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
      const asked = new Set(observedExpressions().flatMap(({ metrics }) => metrics.map(({ name }) => name)));
      const isKnown = (name: string) => exposed.has(name) || exposed.has(name.replace(/_(bucket|sum|count)$/, ''));
      const isPrometheus = (name: string) => name === 'up' || name.includes(':');
      // Of the learner's thread, with the first thing that is learned, and of certificates (tests/tls).
      const isElsewhere = (name: string) => name.startsWith('learn') || name.startsWith('tls_');
      expect([...asked].filter((name) => !isKnown(name) && !isPrometheus(name) && !isElsewhere(name))).toEqual([]);
    });

    it('name the routes that the objective for paywalls counts', async () => {
      const served = /gateway_request_seconds_count\{[^}]*route="\/v2\/paywall"[^}]*status="200"/;
      expect(served.test(await scraped())).toBe(true);
    });
  });
}
