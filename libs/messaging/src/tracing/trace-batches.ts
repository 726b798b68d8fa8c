import { noTracer, onBehalfOf, type Span, type Tracer } from '@paywright/platform';
import type { BatchHandler, BatchResult, ReceivedMessage } from '../message.ts';

/**
 * A handler whose batches are told of: a consumer span for each message of a recorded trace, for as long as its batch
 * is handled. The handler gets such a message with that span as its `traceparent`, so that all that follows from it
 * becomes part of it.
 * @param verb what is done to a message, such as 'process'
 */
export function traceBatches(tracer: Tracer, verb: string, handler: BatchHandler): BatchHandler {
  if (tracer === noTracer) return handler;
  return async (messages) => {
    const spans = new Map<ReceivedMessage, Span>();
    const carrying = messages.map((message) => {
      const span = begin(tracer, verb, message);
      if (span === null) return message;
      const carrier = { ...message, headers: { ...message.headers, traceparent: span.traceparent } };
      spans.set(carrier, span);
      return carrier;
    });
    if (spans.size === 0) return handler(messages);
    return ending(
      spans,
      onBehalfOf([...spans.values()], () => handler(carrying)),
    );
  };
}

async function ending(spans: ReadonlyMap<ReceivedMessage, Span>, work: Promise<BatchResult>): Promise<BatchResult> {
  try {
    const result = await work;
    const buried = new Set(result.deadLetters.map(({ message }) => message));
    for (const [message, span] of spans) span.end(buried.has(message) ? 'dead letter' : undefined);
    return result;
  } catch (error) {
    for (const span of spans.values()) span.end(error);
    throw error;
  }
}

function begin(tracer: Tracer, verb: string, { topic, partition, offset, headers }: ReceivedMessage): Span | null {
  const { traceparent } = headers;
  if (traceparent === undefined) return null;
  const attributes = {
    'messaging.system': 'kafka',
    'messaging.operation.type': 'process',
    'messaging.destination.name': topic,
    'messaging.destination.partition.id': String(partition),
    'messaging.kafka.offset': Number(offset),
    ...requestOf(headers),
  };
  return tracer.start(`${verb} ${typeOf(headers)}`, { kind: 'consumer', parent: traceparent, attributes });
}

type Headers = ReceivedMessage['headers'];

/** A command's type, or an event's with its version. */
const typeOf = ({ type, ce_type: eventType }: Headers): string => type ?? eventType ?? 'message';

/** The id that log lines name a request by; of an event it is that of the command behind it. */
function requestOf({ id, 'request-id': request, ce_causationid: cause }: Headers): { 'paywright.request_id'?: string } {
  const requestId = request ?? id ?? cause;
  return requestId === undefined ? {} : { 'paywright.request_id': requestId };
}
