import { ToldError } from '@paywright/platform/told-error';

/**
 * Work at a server of ours, or at the one that somebody named by a variable.
 * @throws what the work throws; where it is a named server's, one that says the variable
 */
export async function atNamedServer<T>(
  variable: string,
  named: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (named === undefined || !(error instanceof Error) || !isOfServer(error)) throw error;
    throw new ToldError(`${variable}: ${messageOf(error)}`, { cause: error });
  }
}

/** Errors of connections and of databases have a code; that of a broker is behind the client's last try. */
const isOfServer = (error: Error) => [error, error.cause].some((one) => one instanceof Error && 'code' in one);

/** A name that has several addresses, as localhost often has, fails with one error for all, which says nothing itself. */
const messageOf = (error: Error): string =>
  error instanceof AggregateError
    ? error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join(', ')
    : error.message;
