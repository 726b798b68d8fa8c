import { ConfigurationError } from './config.ts';
import { codeOf } from './error-code.ts';

/** What a system says of an address that nothing can be served at, and which of its two variables is to be changed. */
const faults: Readonly<Record<string, { readonly of: 'HOST' | 'PORT'; readonly problem: string }>> = {
  EADDRINUSE: { of: 'PORT', problem: 'is taken already, by another process or for another port of this one' },
  EACCES: { of: 'PORT', problem: 'may not be taken by the user of this process' },
  EADDRNOTAVAIL: { of: 'HOST', problem: 'is no address of this machine' },
  ENOTFOUND: { of: 'HOST', problem: 'is no name of this machine' },
};

/**
 * Serves at the address that `<name>_HOST` and `<name>_PORT` give.
 * @throws ConfigurationError that names the one to be changed, where nothing can be served there
 */
export async function listening<T>(name: string, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const fault = faults[codeOf(error)];
    if (fault === undefined || !(error instanceof Error)) throw error;
    throw new ConfigurationError([{ variable: `${name}_${fault.of}`, problem: `${fault.problem}: ${error.message}` }]);
  }
}
