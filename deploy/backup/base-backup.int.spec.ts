import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@paywright/testing';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase('gateway');
  folder = mkdtempSync(join(tmpdir(), 'paywright-backup-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database[Symbol.asyncDispose]();
});

function baseBackup(args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const program = join(import.meta.dirname, 'base-backup.ts');
  const env = { PATH: process.env['PATH'], ...variables };
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env });
}

it('refuses a database whose log nobody keeps, since the copy could not be restored', () => {
  const refusal = baseBackup([folder, folder], { DATABASE_URL: database.url, KAFKA_BROKERS: '127.0.0.1:9' });
  expect(refusal).toMatchObject({ status: 1, stdout: '' });
  expect(refusal.stderr).toContain('archive_mode');
  expect(readdirSync(folder)).toEqual([]);
});

it('says what it does and takes', () => {
  const help = baseBackup(['--help']);
  expect(help).toMatchObject({ status: 0, stderr: '' });
  expect(help.stdout).toMatch(/base\.tar.*npm run backup -- <data folder> <backup folder>.*archive_mode/s);
});

it.each<[string, () => string[], number, RegExp]>([
  ['no folders', () => [], 2, /^Name a data folder and a backup folder\.\n\n.*npm run backup -- --help/s],
  ['an unknown flag', () => ['--nonesuch'], 2, /^Unknown option '--nonesuch'.*\n\n.*npm run backup -- --help/s],
  ['a data folder with which nothing runs', () => [folder, folder], 2, /^Nothing runs with the data in .*\n$/],
  ['a backup folder that is not there', () => [folder, join(folder, 'none')], 2, /^There is no folder .*none\n$/],
])('says what is wrong with %s', (_, args, status, message) => {
  const refusal = baseBackup(args());
  expect(refusal).toMatchObject({ status, stdout: '' });
  expect(refusal.stderr).toMatch(message);
});
