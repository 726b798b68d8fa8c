import { isPassingFault } from './error-code.ts';

/** An error whose message says all that whoever started the program can use: what to mend. Its stack says no more. */
export class ToldError extends Error {}

/**
 * What to print of an error that ends a program: of one that is told, or that a server or the network has made, its message;
 * of any other, which is a defect, all of it.
 */
export function tellingOf(error: unknown): unknown {
  if (error instanceof ToldError) return error.message;
  const made = [error, ...causesOf(error)].find(isPassingFault);
  if (made === undefined) return error;
  return [...new Set([error, made].flatMap(messageOf))].join(': ');
}

/** `fetch` and AggregateError, as of a name with several addresses, say little themselves. */
function causesOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const causes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return causes.flatMap((cause) => [cause, ...causesOf(cause)]);
}

function messageOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  if (error.message !== '') return [error.message];
  return error instanceof AggregateError ? error.errors.flatMap(messageOf).slice(0, 1) : [];
}
