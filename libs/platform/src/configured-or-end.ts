import { ConfigurationError } from './config.ts';
import { createLogger } from './logger.ts';

/**
 * What a process takes of its environment. One that does not fit ends the process with 1: what is to be mended is a line
 * of the log like any other, and needs no stack.
 * @param name of the service, as its log carries it
 */
export function configuredOrEnd<Taken>(name: string, take: () => Taken): Taken {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    createLogger({ service: name, level: 'error' }).error({}, error.message);
    process.exit(1);
  }
}
