import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventsOf } from '@paywright/contracts';
import { asyncApiDocument, incompatibleChanges, jsonSchemas } from '@paywright/contracts/publishing';
import { format, resolveConfig } from 'prettier';
import { sampleFaults, writeChecksums } from './samples.ts';
import { unlistedEvents } from './unlisted-events.ts';

const folder = join(import.meta.dirname, '../../libs/contracts/schemas');
const sources = join(import.meta.dirname, '../../libs/contracts/src');

/** Sentences on each event that is defined and that no topic carries. */
const unlisted = async (): Promise<readonly string[]> =>
  unlistedEvents(
    await readdir(sources, { recursive: true }),
    Object.values(eventsOf).flatMap((events) => events.map(({ type }) => type)),
  );

/** The JSON of every file that is made from the contracts, by its path in `schemas/`. */
async function contractFiles(): Promise<ReadonlyMap<string, string>> {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const files = new Map<string, string>();
  for (const [path, content] of [...jsonSchemas(), ['asyncapi.json', asyncApiDocument(version)] as const])
    files.set(path, JSON.stringify(content));
  return files;
}

/** The JSON of a file as it is committed, without its layout, which is Prettier's to check. */
const committed = async (path: string): Promise<string | undefined> =>
  readFile(join(folder, path), 'utf8')
    .then((text) => JSON.stringify(JSON.parse(text)))
    .catch(() => undefined);

const isPublished = (path: string) => path.startsWith('events/');

/** Sentences on each published event that was changed incompatibly or is gone. */
async function breaks(files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const published = (await readdir(folder, { recursive: true }).catch(() => [])).filter(
    (path) => isPublished(path) && path.endsWith('.json'),
  );
  const faults: string[] = [];
  for (const path of published) {
    const proposed = files.get(path);
    if (proposed === undefined) faults.push(`${path}: a published event is gone; keep its definition.`);
    else
      for (const change of incompatibleChanges(JSON.parse((await committed(path))!), JSON.parse(proposed)))
        faults.push(`${path} ${change}; published events only gain optional properties: define a new version.`);
  }
  return faults;
}

/** Writes the files, or says why they may not be written. */
export async function writeContractFiles(): Promise<readonly string[]> {
  const files = await contractFiles();
  const faults = [...(await unlisted()), ...(await breaks(files))];
  if (faults.length > 0) return faults;
  const style = (await resolveConfig(folder)) ?? {};
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), await format(content, { ...style, parser: 'json' }));
  }
  writeChecksums();
  return [];
}

/** What is wrong with the committed files; empty if they are what the contracts say. */
export async function checkContractFiles(): Promise<readonly string[]> {
  const files = await contractFiles();
  const faults = [...(await unlisted()), ...(await breaks(files)), ...sampleFaults()];
  for (const [path, content] of files)
    if ((await committed(path)) !== content)
      faults.push(`${path} is not what the contracts say: npm run contracts:write`);
  return faults;
}
