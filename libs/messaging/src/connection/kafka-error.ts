import kafkajs from 'kafkajs';

// CommonJS: Node sees only some of its names.
const { KafkaJSError, KafkaJSNonRetriableError, KafkaJSNumberOfRetriesExceeded } = kafkajs;

/** kafkajs wraps what went wrong once or more: this is what it was. */
export function causeOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('a value that is no error was thrown');
  return error.cause instanceof Error && error instanceof KafkaJSError ? causeOf(error.cause) : error;
}

/** Whether the same request may succeed later: not if the broker refused the messages themselves. */
export function isRetriable(error: unknown): boolean {
  if (error instanceof KafkaJSNumberOfRetriesExceeded) return true;
  const cause = causeOf(error);
  if (cause instanceof KafkaJSNonRetriableError) return false;
  return cause instanceof KafkaJSError ? cause.retriable : false;
}
