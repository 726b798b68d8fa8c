import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { migrate } from '../migrate/migrate.ts';
import { createScratchDatabase, type ScratchDatabase } from '../migrate/scratch-database.ts';
import { withReadersReset } from './reset-readers.ts';

const failure = new Error('The events of profile were not all published');
const cwd = findProjectRoot();

let database: ScratchDatabase;

beforeAll(async () => {
  database = await createScratchDatabase(process.env['TEST_DATABASE_URL']!);
  await migrate(database.url);
});
afterAll(async () => database[Symbol.asyncDispose]());

const programs = [
  ['npm start', 'deploy/local/start.ts'],
  ['the job before new versions', 'deploy/prepare.ts'],
  ['a service that owns streams', 'dist/apps/catalog/main.js'],
] as const;

function start(program: string) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'paywright-unfinished-'));
  const env = {
    ...{ PATH: process.env['PATH'], NODE_ENV: 'test', LOG_LEVEL: 'error', MANAGEMENT_PORT: '0', GATEWAY_PORT: '0' },
    ...{ DATABASE_URL: database.url, KAFKA_BROKERS: process.env['TEST_KAFKA_BROKERS'] },
    PAYWRIGHT_DATA_DIR: folder.path,
  };
  const options = { cwd, env, encoding: 'utf8', timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], options);
  return { status, said: stdout + stderr };
}

describe('where the topics were filled only in part', () => {
  beforeEach(async () => {
    const failing = withReadersReset(database.url, () => Promise.reject(failure));
    await expect(failing).rejects.toBe(failure);
  });

  it.each(programs)('%s does not start, and says what to run', (_name, program) => {
    const { status, said } = start(program);
    expect(said).toContain('Delete the topics');
    expect(said).toContain('npm run republish');
    expect(status).toBe(1);
  });

  it('all starts when they were filled to the end', async () => {
    await withReadersReset(database.url, async () => undefined);
    expect(start('deploy/prepare.ts')).toMatchObject({ status: 0 });
  });
});
