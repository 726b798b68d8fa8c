import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVariables } from './variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'variables-'));
const file = join(folder, 'key');
writeFileSync(file, 'from the file\n');
afterAll(() => rmSync(folder, { recursive: true }));

it('reads what the launcher needs from files, and leaves the rest to the services', () => {
  const env = { MASTER_KEY_FILE: file, ADMIN_TOKENS: 'ann:t', KAFKA_SSL_CA_FILE: '/ca.pem' };
  expect(readVariables(env)).toEqual({
    MASTER_KEY: 'from the file',
    ADMIN_TOKENS: 'ann:t',
    KAFKA_SSL_CA_FILE: '/ca.pem',
  });
});

it('reads all that the launcher sets for the services, which would have it twice', () => {
  const set = ['GATEWAY_PORT', 'LOG_LEVEL', 'DRAIN_DELAY_MS', 'MANAGEMENT_PORT', 'SIMULATOR_DATA_DIR'];
  const env = Object.fromEntries(set.map((name) => [`${name}_FILE`, file]));
  expect(readVariables(env)).toEqual(Object.fromEntries(set.map((name) => [name, 'from the file'])));
});

it('takes no other address of a database', () => {
  expect(readVariables({ DATABASE_URL: 'postgres://a' })).toEqual({ DATABASE_URL: 'postgres://a' });
  expect(() => readVariables({ DATABASE_URL: 'localhost:5432/a' })).toThrow('DATABASE_URL: must be an address such as');
});

it('does not guess which of two is meant', () => {
  expect(() => readVariables({ MASTER_KEY: 'a', MASTER_KEY_FILE: file })).toThrow('MASTER_KEY: is set twice');
});
