import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { migrate } from '../migrate/migrate.ts';
import { createScratchDatabase } from '../migrate/scratch-database.ts';

const run = promisify(execFile);
const cwd = findProjectRoot();

it('finds its servers by the files that a pod of the chart names them in', async () => {
  await using database = await createScratchDatabase(process.env['TEST_DATABASE_URL']!);
  await migrate(database.url);
  using folder = mkdtempDisposableSync(join(tmpdir(), 'secrets-'));
  const [url, brokers] = [join(folder.path, 'url'), join(folder.path, 'brokers')];
  writeFileSync(url, database.url);
  writeFileSync(brokers, process.env['TEST_KAFKA_BROKERS']!);
  const env = { PATH: process.env['PATH'], DATABASE_URL_FILE: url, KAFKA_BROKERS_FILE: brokers };

  const status = run(process.execPath, ['dist/deploy/rebuild/main.js', 'read-model', '--status'], { cwd, env });

  await expect(status).resolves.toMatchObject({ stdout: expect.stringContaining('read_model: '), stderr: '' });
}, 120_000);
