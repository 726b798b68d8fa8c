import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { redact } from './redaction.ts';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Writes one line a call: the fields, then what happened. ERROR means that someone must act. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A logger whose lines carry these fields too. */
  child(fields: object): Logger;
}

/** What waits for space; what comes beyond it is left out. */
const mostUnwrittenBytes = 1_048_576;

/** Lines that find no space, as on a full disk, end no process: they are written once there is some. */
function standardOutput(): DestinationStream {
  const destination = pino.destination({ fd: 1, sync: true, maxLength: mostUnwrittenBytes });
  destination.on('error', () => undefined);
  // What waits is tried with each line that is taken in. With those that are left out, too: else nothing would be written again.
  destination.on('drop', (line: string) => {
    if (destination.write('') && Buffer.byteLength(line) <= mostUnwrittenBytes) destination.write(line);
  });
  return destination;
}

/**
 * Logs JSON lines to standard output: `level`, `time` (ISO 8601), `service`, the fields, `message`.
 * Personal fields and secrets are hidden by their names (see redaction.ts).
 * @param destination in place of standard output, for tests
 */
export function createLogger(
  { service, level }: { service: string; level: LogLevel },
  destination: DestinationStream = standardOutput(),
): Logger {
  const options = {
    level,
    base: { service },
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: redact },
    serializers: { err: (error: unknown) => error },
  };
  return loggerOver(pino(options, destination));
}

/** pino redacts the fields of a line, but not those that a child brings to every line. */
const loggerOver = (line: Pino): Logger => ({
  debug: (fields, message) => line.debug(fields, message),
  info: (fields, message) => line.info(fields, message),
  warn: (fields, message) => line.warn(fields, message),
  error: (fields, message) => line.error(fields, message),
  child: (fields) => loggerOver(line.child(redact(fields))),
});

/** Nest's own messages, as lines of ours. Its tale of starting up is DEBUG: nobody needs it every time. */
export class NestLogger implements LoggerService {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  log(message: unknown, ...details: unknown[]): void {
    this.#logger.debug(contextOf(details), textOf(message));
  }

  debug(message: unknown, ...details: unknown[]): void {
    this.#logger.debug(contextOf(details), textOf(message));
  }

  verbose(message: unknown, ...details: unknown[]): void {
    this.#logger.debug(contextOf(details), textOf(message));
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.#logger.warn(contextOf(details), textOf(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    const error = [message, ...details].find((detail) => detail instanceof Error);
    const stack = details.find((detail) => typeof detail === 'string' && detail.includes('\n    at '));
    const rest = details.filter((detail) => detail !== error && detail !== stack);
    this.#logger.error(
      { ...contextOf(rest), ...(error !== undefined ? { error } : stack !== undefined && { stack }) },
      textOf(message),
    );
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.error(message, ...details);
  }
}

const contextOf = (details: readonly unknown[]) => {
  const context = details.at(-1);
  return typeof context === 'string' ? { context } : {};
};

function textOf(message: unknown): string {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : JSON.stringify(message);
}
