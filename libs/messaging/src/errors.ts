import { codeOf, isPassingFault } from '@paywright/platform';

/** The work was refused before anything was sent: a queue is full, or the broker has not acknowledged for a while. */
export class ServiceOverloaded extends Error {
  override readonly name = 'ServiceOverloaded';
}

/** No reply came before the deadline. The command may have been carried out, or may yet be. */
export class CommandTimeout extends Error {
  override readonly name = 'CommandTimeout';
}

/** An entry waited in the producer's queue until its deadline. It may have been stored, if it was tried. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/** The broker did not acknowledge: each of the messages may or may not be stored. */
export class PublishFailed extends Error {
  override readonly name = 'PublishFailed';
  /** False: the broker refused the messages as they are, and will again. */
  readonly retriable: boolean;

  constructor(cause: unknown, retriable: boolean) {
    super(`The broker did not acknowledge: ${describeError(cause)}`, { cause });
    this.retriable = retriable;
  }
}

/** Whether the broker lets this service write there no message at all, whatever it is. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof PublishFailed && codeOf(error.cause).endsWith('_AUTHORIZATION_FAILED');

/** Whether a topic takes no message of that length. */
export const isTooLong = (error: unknown): boolean =>
  error instanceof PublishFailed && codeOf(error.cause) === 'MESSAGE_TOO_LARGE';

/** A message that is not what its topic promises. The reason names the faulty part and holds no value of it. */
export class UndecodableMessage extends Error {
  override readonly name = 'UndecodableMessage';
}

/** Thrown by a handler that knows its fault to be the infrastructure's: it is repeated until it passes. */
export class InfrastructureFault extends Error {
  override readonly name: string = 'InfrastructureFault';
}

/** Thrown by a handler of claimed partitions, once another claim has ended its own. */
export class ClaimLost extends InfrastructureFault {
  override readonly name = 'ClaimLost';
}

/** Whether an error is surely one of broker, database or network, and not of a message. */
export function isInfrastructureFault(error: unknown): boolean {
  if (error instanceof InfrastructureFault || error instanceof ServiceOverloaded) return true;
  if (error instanceof DeadlinePassed) return true;
  if (error instanceof PublishFailed) return error.retriable;
  return isPassingFault(error);
}

/**
 * What kind of error it is and where it came from. Left out is its message, since that of a parser or a
 * database repeats the values it was given, which may be personal.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is no error was thrown';
  const code = codeOf(error);
  const place = frame.exec(stackOf(error));
  const cause = error.cause instanceof Error ? `, caused by ${describeError(error.cause)}` : '';
  return `${error.name}${code && ` (${code})`}${place ? ` at ${[place[1], place[2]].filter(Boolean).join(' ')}` : ''}${cause}`;
}

/** The first line of a stack that has a file: the function, if it has a name, and the file with the line. */
const frame = /^ +at (?:async )?(?:new )?(?:([^\s(]+) .*\(|)(?:.*[/\\])?([^/\\()\s]+:\d+):\d+\)?$/m;

/** Behind the message, which may look like a stack itself. */
function stackOf({ message, stack = '' }: Error): string {
  const start = stack.indexOf(message);
  return start < 0 ? '' : stack.slice(start + message.length);
}
