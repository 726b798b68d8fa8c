import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inHashOrder, type ShownRecord } from '@paywright/selection-engine';
import fc from 'fast-check';
import { BucketFile } from './bucket-file.ts';
import { ShuffledExposures } from './shuffled-exposures.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shuffled-'));
});
afterAll(() => rm(directory, { recursive: true }));

const shown = (id: string, at: number, goal = 'größer\n'): ShownRecord => {
  return { type: 'shown', id, at, paywall: 'p', values: { goal }, side: 'ai', share: 1, logValue: null };
};

async function read(exposures: ShuffledExposures): Promise<readonly ShownRecord[]> {
  const all: ShownRecord[] = [];
  for await (const some of exposures.inOrder()) all.push(...some);
  return all;
}

describe('ShuffledExposures', () => {
  it('shows each once, by rising hash, as often as it is asked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.string(), { maxLength: 200 }), fc.string(), async (ids, seed) => {
        await using exposures = await ShuffledExposures.open(directory, seed);
        const records = ids.map((id, at) => shown(id, at));
        for (const record of records) await exposures.add(record);
        for (const { id } of records) await exposures.add(shown(id, -1));
        const expected = inHashOrder(records, seed);
        expect(await read(exposures)).toEqual(expected);
        expect(await read(exposures)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps them on the disk, in a file that nobody else sees', async () => {
    await using exposures = await ShuffledExposures.open(directory, 'seed');
    // 16 MB: of each bucket more than it holds in memory.
    const records = Array.from({ length: 4_000 }, (_, at) => shown(`decision ${at}`, at, `${at} größer\n`.repeat(250)));
    for (const record of records) await exposures.add(record);
    expect(exposures.bytes).toBeGreaterThan(100_000);
    expect(await readdir(directory)).toEqual([]);
    expect(await read(exposures)).toEqual(inHashOrder(records, 'seed'));
  });
});

it('a bucket has its lines in the order in which they were written', async () => {
  await using file = await BucketFile.open(directory, 2);
  const lines = Array.from({ length: 5_000 }, (_, line) => `${line} ${'x'.repeat(line % 50)}`);
  for (const line of lines) await file.add(1, line);
  expect(await file.lines(1)).toEqual(lines);
  expect(await file.lines(0)).toEqual([]);
  expect(file.length).toBeGreaterThan(0);
});
