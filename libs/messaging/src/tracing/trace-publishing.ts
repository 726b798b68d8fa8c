import { noTracer, type Span, type Tracer } from '@paywright/platform';
import type { OutgoingMessage } from '../message.ts';

export interface TracedMessages {
  readonly messages: readonly OutgoingMessage[];
  /** One for each message of a recorded trace: to be ended when the broker has all of them. */
  readonly spans: readonly Span[];
}

/** The messages, those of a recorded trace carrying a producer span of their own. */
export function tracePublishing(tracer: Tracer, messages: readonly OutgoingMessage[]): TracedMessages {
  if (tracer === noTracer) return { messages, spans: [] };
  const spans: Span[] = [];
  const carrying = messages.map((message) => {
    const { topic, headers } = message;
    const { traceparent: parent } = headers;
    if (parent === undefined) return message;
    const attributes = {
      'messaging.system': 'kafka',
      'messaging.operation.type': 'send',
      'messaging.destination.name': topic,
    };
    const span = tracer.start(`publish ${topic}`, { kind: 'producer', parent, attributes });
    if (span === null) return message;
    spans.push(span);
    return { ...message, headers: { ...headers, traceparent: span.traceparent } };
  });
  return { messages: carrying, spans };
}
