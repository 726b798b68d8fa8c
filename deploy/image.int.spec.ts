import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { z } from 'zod';
import { findProjectRoot } from './migrate/database-schemas.ts';

const root = findProjectRoot();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const rules = read('.dockerignore').trim().split('\n');

/** Whether a file is in what an image is built from. The last rule counts that names it, or a folder that it lies in. */
function isInContext(file: string): boolean {
  const paths = file.split('/').map((_name, index, names) => names.slice(0, index + 1).join('/'));
  const last = rules.findLast((rule) => paths.some((path) => isNamedBy(path, rule.replace('!', ''))));
  return last === undefined || last.startsWith('!');
}

/** To Docker a star is names that begin with a dot, too. */
const isNamedBy = (path: string, pattern: string) => pattern === '*' || matchesGlob(path, pattern);

const Stamp = z.object({ inputs: z.array(z.string()) });

describe('the image', () => {
  it('is built from every file that a bundle is made of', () => {
    const stamps = globSync('dist/**/*.inputs.json', { cwd: root });

    const inputs = new Set(stamps.flatMap((stamp) => Stamp.parse(JSON.parse(read(stamp))).inputs));

    expect(inputs).toContain('apps/gateway/src/main.ts');
    expect([...inputs].filter((file) => !isInContext(file))).toEqual([]);
  });

  it('copies what is there', () => {
    const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, files]) =>
      files!.split(' '),
    );

    expect(copied).toContain('package-lock.json');
    expect(copied.filter((file) => globSync(file, { cwd: root }).length === 0 || !isInContext(file))).toEqual([]);
  });

  it('is built from no test, no package and no secret', () => {
    const others = [
      'deploy/image.int.spec.ts',
      'node_modules/pg/package.json',
      '.data/runtime.json',
      '.git/config',
      'README.md',
    ];

    expect(others.filter(isInContext)).toEqual([]);
  });
});
