import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger.ts';
import { formatTraceparent, parseTraceparent } from '../traceparent.ts';
import type { TracedService, Tracing } from './open-tracing.ts';
import type { Span, SpanAttributes, SpanKind, SpanStart, Tracer } from './tracer.ts';

export interface OtlpTracingOptions {
  readonly collector: { readonly url: string; readonly headers: Record<string, string> };
  /** Share of new traces that are recorded, in [0, 1]; of a trace that came from elsewhere its own flag decides. */
  readonly ratio: number;
  readonly service: TracedService;
  readonly logger: Logger;
}

/** For an export with its repetitions: a collector that is away must not hold up the end of the process. */
const timeoutMillis = 2_000;
/** A collector that is away costs so many spans' memory, then spans are dropped. */
const bounds = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 1_000,
  exportTimeoutMillis: 5_000,
};

const kinds: Readonly<Record<SpanKind, OtelKind>> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
};

/** Records by OpenTelemetry's SDK and sends by OTLP over HTTP, in batches, beside the work. */
export function openOtlpTracing({ collector, ratio, service, logger }: OtlpTracingOptions): Tracing {
  tellOfFaults(logger);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'paywright',
      'service.name': service.name,
      'service.instance.id': String(service.instance),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ ...collector, timeoutMillis }), ...bounds }),
    ],
  });
  const stop = () =>
    provider.shutdown().catch((error: unknown) => logger.warn({ error }, 'The last traces were not sent'));
  return { tracer: new OtlpTracer(provider.getTracer('paywright')), stop };
}

class OtlpTracer implements Tracer {
  readonly #tracer: OtelTracer;

  constructor(tracer: OtelTracer) {
    this.#tracer = tracer;
  }

  start(name: string, { kind, parent, attributes = {} }: SpanStart): Span | null {
    const context = contextOf(parent);
    if (context === null) return null;
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    return span.isRecording() ? new OtlpSpan(span) : null;
  }
}

/** Null: of a parent that is not recorded nothing is, and neither is what no parent could have written. */
function contextOf(parent: string | null): Context | null {
  if (parent === null) return ROOT_CONTEXT;
  const read = parseTraceparent(parent);
  if (read === null || !read.sampled) return null;
  const { traceId, spanId } = read;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1, isRemote: true });
}

class OtlpSpan implements Span {
  readonly #span: OtelSpan;

  constructor(span: OtelSpan) {
    this.#span = span;
  }

  get traceparent(): string {
    const { traceId, spanId } = this.#span.spanContext();
    return formatTraceparent({ traceId, spanId, sampled: true });
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
      this.#span.setAttribute('error.type', typeOf(error));
    }
    this.#span.end();
  }
}

function typeOf(error: unknown): string {
  if (error instanceof Error) return error.name;
  return typeof error === 'string' ? error : 'unknown';
}

/** Lost spans are worth a line, and never the work that they tell of. */
function tellOfFaults(logger: Logger): void {
  const tell = (message: string) => logger.warn({ problem: message }, 'Traces could not be sent');
  const silent = () => undefined;
  diag.setLogger({ error: tell, warn: tell, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN);
}
