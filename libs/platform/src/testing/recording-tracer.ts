import { childOf, newTraceparent, parseTraceparent } from '../traceparent.ts';
import type { Span, SpanAttributes, SpanKind, SpanStart, Tracer } from '../tracing/tracer.ts';

export interface RecordedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: string | null;
  readonly traceparent: string;
  readonly attributes: SpanAttributes;
  /** Undefined while the span is open; null if it ended well, else why not. */
  readonly error: unknown;
}

/** A tracer that keeps every span of sampled and of new traces, for tests to look at. */
export class RecordingTracer implements Tracer {
  readonly spans: RecordedSpan[] = [];

  start(name: string, { kind, parent, attributes = {} }: SpanStart): Span | null {
    if (parent !== null && parseTraceparent(parent)?.sampled !== true) return null;
    const traceparent = parent === null ? newTraceparent() : childOf(parent);
    const index = this.spans.push({ name, kind, parent, traceparent, attributes, error: undefined }) - 1;
    const change = (changes: Partial<RecordedSpan>) => (this.spans[index] = { ...this.spans[index]!, ...changes });
    return {
      traceparent,
      set: (more) => void change({ attributes: { ...this.spans[index]!.attributes, ...more } }),
      end: (error) => void change({ error: error ?? null }),
    };
  }
}
