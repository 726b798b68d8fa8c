import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { findProjectRoot } from './migrate/database-schemas.ts';

/** What an operator starts by hand, or has a job start. */
const programs = [
  ...['prepare.ts', 'demo/main.ts', 'local/start.ts', 'report/main.ts', 'rebuild/main.ts', 'reseal/main.ts'],
  ...['republish/main.ts', 'erasures/main.ts', 'backup/base-backup.ts', 'build.ts'],
];

/** With servers that are there, so that what is done in spite of its arguments is done. */
function run(program: string, flag: string) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'paywright-programs-'));
  const env = {
    ...{ PATH: process.env['PATH'], NODE_ENV: 'test', PAYWRIGHT_DATA_DIR: folder.path, SECRETS_DIR: folder.path },
    ...{ DATABASE_URL: process.env['TEST_DATABASE_URL'], KAFKA_BROKERS: process.env['TEST_KAFKA_BROKERS'] },
    ...{ GATEWAY_URL: 'http://127.0.0.1:1', GATEWAY_PUBLIC_URL: 'http://127.0.0.1:1' },
  };
  const options = { cwd: findProjectRoot(), env, encoding: 'utf8', timeout: 60_000 } as const;
  return spawnSync(process.execPath, [join('deploy', program), flag], options);
}

it.each(programs)('%s explains itself, and does nothing', (program) => {
  const { status, stdout, stderr } = run(program, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('--help');
});

it.each(programs)('%s names an option that it does not know, in one way with all others', (program) => {
  const { status, stdout, stderr } = run(program, '--hepl');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain("Unknown option '--hepl'");
  expect(stderr).not.toMatch(/^ {4}at /m);
});
