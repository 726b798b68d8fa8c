import { existsSync, readFileSync } from 'node:fs';

/** The last lines of a log file; empty if there is none. */
export const tail = (file: string, lines = 10): string =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n') : '';
