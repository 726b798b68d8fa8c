import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findProjectRoot } from './migrate/database-schemas.ts';
import { createScratchDatabase, type ScratchDatabase } from './migrate/scratch-database.ts';

const cwd = findProjectRoot();
const services = [
  ...['gateway', 'profile', 'catalog', 'selection'],
  ...['learner', 'impression', 'purchase-validation', 'projection'],
];

let database: ScratchDatabase;
beforeAll(async () => void (database = await createScratchDatabase(process.env['TEST_DATABASE_URL']!)));
afterAll(async () => database[Symbol.asyncDispose]());

it.each(services)(
  '%s does not become ready on a database that nobody has migrated, and says what to run',
  (service) => {
    const env = {
      ...{ PATH: process.env['PATH'], NODE_ENV: 'test', LOG_LEVEL: 'error', MANAGEMENT_PORT: '0', GATEWAY_PORT: '0' },
      ...{ DATABASE_URL: database.url, KAFKA_BROKERS: process.env['TEST_KAFKA_BROKERS'], MASTER_KEY: 'm'.repeat(32) },
    };
    const options = { cwd, env, encoding: 'utf8', timeout: 60_000 } as const;
    const { status, stdout } = spawnSync(process.execPath, [`dist/apps/${service}/main.js`], options);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { level: 'error', message: expect.stringContaining('run the job prepare of this version') },
    ]);
    expect(status).toBe(1);
  },
);
