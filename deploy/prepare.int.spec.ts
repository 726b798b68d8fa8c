import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseSchemas, findProjectRoot } from './migrate/database-schemas.ts';
import { createScratchDatabase } from './migrate/scratch-database.ts';

const run = promisify(execFile);
const root = findProjectRoot();

it('prepares a database, the topics and the secrets, as the bundle that production runs; twice is once', async () => {
  await using database = await createScratchDatabase(process.env['TEST_DATABASE_URL']!);
  using folder = mkdtempDisposableSync(join(tmpdir(), 'secrets-'));
  const secrets = folder.path;
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    KAFKA_BROKERS: process.env['TEST_KAFKA_BROKERS'],
    SECRETS_DIR: secrets,
  };
  const prepare = () => run(process.execPath, ['dist/deploy/prepare/main.js'], { cwd: root, env });

  const first = await prepare();
  const masterKey = readFileSync(join(secrets, 'master-key'), 'utf8');
  writeFileSync(join(secrets, 'admin-tokens'), 'another:token-of-somebody-else');
  const again = await prepare();

  for (const { name } of databaseSchemas) expect(first.stdout).toContain(`${name}: applied `);
  expect(again.stdout).not.toContain('applied');
  expect(again.stdout).not.toContain('created topic');
  expect(again.stderr).toBe('');
  expect(readFileSync(join(secrets, 'master-key'), 'utf8')).toBe(masterKey);
  // A token that was taken away stays away.
  expect(readFileSync(join(secrets, 'admin-tokens'), 'utf8')).toBe('another:token-of-somebody-else');
  expect(statSync(join(secrets, 'admin-tokens')).mode & 0o777).toBe(0o600);
}, 120_000);
