import { inspect } from 'node:util';

/** Which of the secrets an error shows: in its message, its stack, its causes, or any property at any depth. */
export function secretsIn(error: unknown, secrets: readonly string[]): string[] {
  const shown = inspect(error, {
    depth: Infinity,
    showHidden: true,
    maxStringLength: Infinity,
    maxArrayLength: Infinity,
  });
  return secrets.filter((secret) => shown.includes(secret));
}
