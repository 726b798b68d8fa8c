/** The part that a piece of work plays in a trace. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Names after OpenTelemetry's semantic conventions where they have one. No personal field, no secret, no body. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly kind: SpanKind;
  /** The W3C traceparent of the work that this is part of; null begins a trace, as often as sampling says. */
  readonly parent: string | null;
  readonly attributes?: SpanAttributes;
}

/** A piece of work that is being recorded. */
export interface Span {
  /** The W3C traceparent that work on its behalf carries on. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param error why the work failed: a word, or an Error, of which only the type is told: a message may quote a body */
  end(error?: unknown): void;
}

/** Tells a collector of pieces of work, so that one request can be followed through all processes. */
export interface Tracer {
  /** Null: not recorded. A parent that is malformed or not sampled is not recorded. */
  start(name: string, start: SpanStart): Span | null;
}

/** Where nobody collects: records nothing. */
export const noTracer: Tracer = { start: () => null };

/** Awaits the work, and ends what tells of it: with its error, if it fails. */
export async function endingWith<T>(spans: readonly Span[], work: Promise<T>): Promise<T> {
  try {
    const result = await work;
    for (const span of spans) span.end();
    return result;
  } catch (error) {
    for (const span of spans) span.end(error);
    throw error;
  }
}
