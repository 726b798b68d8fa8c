import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const noData = join(tmpdir(), 'paywright-no-data');

function republish(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'], PAYWRIGHT_DATA_DIR: noData };
  return spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8', env });
}

it('says what it does, and does nothing, where that is asked', () =>
  expect(republish('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('npm run republish'),
    stderr: '',
  }));

it.each([['--dry-run'], ['read-model']])('begins nothing where it does not know what is meant by %s', (argument) => {
  const refusal = republish(argument);
  expect(refusal).toMatchObject({ status: 2, stdout: '' });
  expect(refusal.stderr).toContain(argument);
  expect(refusal.stderr).toContain('npm run republish');
});

it('names the folder that has no database', () =>
  expect(republish()).toMatchObject({ status: 2, stderr: expect.stringContaining(noData) }));
