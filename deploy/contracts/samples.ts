import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsOf } from '@paywright/contracts';
import { versionsOf } from '@paywright/contracts/publishing';
import type { z } from 'zod';

/** An event and version that has to have a sample. */
export interface SampledVersion {
  readonly type: string;
  readonly version: number;
  readonly body: z.ZodType;
}

const samplesFolder = join(import.meta.dirname, '../../libs/contracts/samples');
const publishedVersions: readonly SampledVersion[] = Object.values(eventsOf).flat().flatMap(versionsOf);

const readChecksums = (folder: string): Record<string, string> => {
  const file = join(folder, 'checksums.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
};
const checksumOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const fileOf = ({ type, version }: SampledVersion) => `${type}.v${version}.json`;

/**
 * What is wrong with the samples of published events, a sentence each: one that is missing, was changed or deleted, or that
 * today's definition does not read.
 */
export function sampleFaults(versions = publishedVersions, folder = samplesFolder): readonly string[] {
  const checksums = readChecksums(folder);
  const changed = Object.entries(checksums).flatMap(([file, checksum]) => {
    if (!existsSync(join(folder, file))) return [`samples/${file} is gone: what was published once must be readable.`];
    return checksumOf(join(folder, file)) === checksum
      ? []
      : [`samples/${file} was changed: it shows what was published.`];
  });
  const unread = versions.flatMap((version) => {
    const file = fileOf(version);
    if (!existsSync(join(folder, file))) return [`samples/${file} is missing: add one, then npm run contracts:write`];
    if (!(file in checksums)) return [`samples/${file} has no checksum: npm run contracts:write`];
    const { success } = version.body.safeParse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    return success ? [] : [`samples/${file} is not what its version promises.`];
  });
  return [...changed, ...unread];
}

/** Writes down the checksums of samples that are new; those of the others never change. */
export function writeChecksums(versions = publishedVersions, folder = samplesFolder): void {
  const checksums = readChecksums(folder);
  for (const file of versions.map(fileOf))
    if (!(file in checksums) && existsSync(join(folder, file))) checksums[file] = checksumOf(join(folder, file));
  const sorted = Object.fromEntries(Object.entries(checksums).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(folder, 'checksums.json'), `${JSON.stringify(sorted, null, 2)}\n`);
}
