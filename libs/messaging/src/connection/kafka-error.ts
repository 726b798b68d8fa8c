import { codeOf, isPassingFault } from '@paywright/platform';
import kafkajs from 'kafkajs';

// CommonJS: Node sees only some of its names.
const { KafkaJSError, KafkaJSProtocolError, KafkaJSSASLAuthenticationError } = kafkajs;

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

/** What OpenSSL says of a broker that speaks no TLS, or of a client that does not. */
export const otherProtocol = 'EPROTO';

/**
 * Whether a broker that is not reached may be later. It may not where it refuses the user, or where its certificate is of somebody
 * else: of those the error has a code, which is none of the system.
 */
export function passesByWaiting(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof KafkaJSSASLAuthenticationError) return false;
  if (cause instanceof KafkaJSProtocolError) return isRetriable(cause);
  const code = codeOf(cause);
  return code === '' || (isPassingFault(cause) && code !== otherProtocol);
}
