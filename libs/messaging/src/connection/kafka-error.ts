import kafkajs from 'kafkajs';

// CommonJS: Node sees only some of its names.
const { KafkaJSError, KafkaJSProtocolError } = kafkajs;

/** kafkajs wraps what went wrong once or more: this is what it was. */
export function causeOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('a value that is no error was thrown');
  return error.cause instanceof Error && error instanceof KafkaJSError ? causeOf(error.cause) : error;
}

/**
 * Whether the same request may succeed later: unless the broker itself has refused it. What kafkajs calls final may be
 * its own state alone, of a connection that was lost at the wrong moment; a broker's "unknown error" is about itself.
 */
export function isRetriable(error: unknown): boolean {
  const cause = causeOf(error);
  return !(cause instanceof KafkaJSProtocolError) || cause.retriable || cause.type === 'UNKNOWN';
}
