import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const Attribute = z.object({
  key: z.string(),
  value: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
const ReceivedSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(Attribute).default([]),
  status: z.object({ code: z.number().optional() }).optional(),
});
/** What OTLP calls an ExportTraceServiceRequest, as far as tests look. */
const ExportRequest = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(ReceivedSpan) })),
    }),
  ),
});

export interface CollectedSpan extends Omit<z.output<typeof ReceivedSpan>, 'attributes'> {
  readonly service: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface OtlpCollector extends AsyncDisposable {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT is set to. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Of every request, in order of arrival. */
  readonly headers: readonly Readonly<Record<string, string | string[] | undefined>>[];
}

/** An OpenTelemetry collector on loopback that keeps what it is sent as OTLP/JSON. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const headers: OtlpCollector['headers'][number][] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    json(request).then(
      (body) => {
        if (request.url !== '/v1/traces') return response.writeHead(404).end();
        spans.push(...spansIn(ExportRequest.parse(body)));
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      },
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    headers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const spansIn = ({ resourceSpans }: z.output<typeof ExportRequest>): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({ ...span, service, attributes: valuesOf(attributes) })),
    );
  });

const valuesOf = (attributes: z.output<typeof Attribute>[]): CollectedSpan['attributes'] =>
  Object.fromEntries(attributes.flatMap(({ key, value }) => Object.values(value).map((one) => [key, one])));
