import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { sampleFaults, writeChecksums } from './samples.ts';

const first = { type: 'Counted', version: 1, body: z.object({ by: z.int() }) };
const second = { ...first, version: 2 };
let folder: string;
const put = (name: string, body: unknown) => writeFileSync(join(folder, name), JSON.stringify(body));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'samples-'));
  put('Counted.v1.json', { by: 1 });
  writeChecksums([first], folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

it('finds a sample of every published event, as it was committed', () => {
  expect(sampleFaults()).toEqual([]);
});

describe('the check of samples', () => {
  it('is content with what was written down', () => {
    expect(sampleFaults([first], folder)).toEqual([]);
  });

  it('names one that was changed, also after another write', () => {
    put('Counted.v1.json', { by: 2 });
    writeChecksums([first], folder);
    expect(sampleFaults([first], folder)).toEqual([expect.stringContaining('Counted.v1.json was changed')]);
  });

  it('names one that is gone, also where no definition asks for it any more', () => {
    rmSync(join(folder, 'Counted.v1.json'));
    expect(sampleFaults([], folder)).toEqual([expect.stringContaining('Counted.v1.json is gone')]);
  });

  it('names an event or a version without one', () => {
    expect(sampleFaults([first, second], folder)).toEqual([expect.stringContaining('Counted.v2.json is missing')]);
  });

  it('names one that its definition does not read', () => {
    put('Counted.v2.json', { by: 'one' });
    writeChecksums([first, second], folder);
    expect(sampleFaults([first, second], folder)).toEqual([expect.stringContaining('Counted.v2.json is not what')]);
  });
});
