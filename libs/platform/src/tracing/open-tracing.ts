import type { Logger } from '../logger.ts';
import { noTracer, type Tracer } from './tracer.ts';
import type { TracingConfig } from './tracing-config.ts';

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what was recorded last; bounded. */
  stop(): Promise<void>;
}

export interface TracedService {
  readonly name: string;
  /** Ordinal among the instances of its service. */
  readonly instance: number;
}

const none: Tracing = { tracer: noTracer, stop: () => Promise.resolve() };

/** The tracing that the environment asks for. What it takes is loaded only where a collector is named. */
export async function openTracing(config: TracingConfig, service: TracedService, logger: Logger): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  if (endpoint === undefined) return none;
  const { openOtlpTracing } = await import('./otlp-tracing.ts');
  const collector = { url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers: headersIn(headers) };
  return openOtlpTracing({ collector, ratio: config.OTEL_TRACES_SAMPLER_ARG, service, logger });
}

/** As OpenTelemetry has them written. */
const headersIn = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
      }),
  );
