import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../samples');

/** The body of an event as it was published once, in the version of its day. */
export interface PublishedSample {
  readonly type: string;
  readonly version: number;
  readonly body: unknown;
}

/** One of each event and version that was ever published: `samples/<type>.v<version>.json`. Only ever added to. */
export function publishedSamples(): readonly PublishedSample[] {
  return readdirSync(folder).flatMap((file) => {
    const [, type, version] = /^(\w+)\.v(\d+)\.json$/.exec(file) ?? [];
    if (type === undefined) return [];
    return [{ type, version: Number(version), body: JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown }];
  });
}
