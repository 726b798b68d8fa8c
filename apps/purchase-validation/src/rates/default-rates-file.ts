import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const inRepository = join('deploy', 'rates', 'eurofxref-hist.csv');

/** The rates that come with the repository: above a source file and above a bundle under dist/ alike. */
export function defaultRatesFile(from: string = import.meta.dirname): string {
  const file = join(from, inRepository);
  if (existsSync(file)) return file;
  if (dirname(from) === from) throw new Error(`There is no ${inRepository} above this program.`);
  return defaultRatesFile(dirname(from));
}
