import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { nextVersion } from './next-version.ts';

const root = join(import.meta.dirname, '..', '..');

it.each(nextVersion)('edits what this version has: $file', ({ file, from }) => {
  if (from !== null) expect(readFileSync(join(root, file), 'utf8')).toContain(from);
});
