import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstAdminToken, loadSecrets, saveSecrets } from './secrets.ts';

describe('secrets', () => {
  let dataDir: string;
  beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'secrets-'))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('are made once, and kept for their owner alone', () => {
    const made = loadSecrets(dataDir);
    expect(loadSecrets(dataDir)).toEqual(made);
    expect(made.masterKey.length).toBeGreaterThanOrEqual(32);
    expect(firstAdminToken(made.adminTokens)?.length).toBeGreaterThanOrEqual(32);
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('remember the demo app', () => {
    const demo = { appId: 1, secretKey: 'k' };
    saveSecrets(dataDir, { ...loadSecrets(dataDir), demo });
    expect(loadSecrets(dataDir).demo).toEqual(demo);
  });
});

describe('firstAdminToken', () => {
  it.each([
    ['ann:t1', 't1'],
    ['vera:t0:viewer, ann:t1:admin', 't1'],
    ['vera:t0:viewer', undefined],
    ['', undefined],
    ['ann::admin', undefined],
  ])('of %j is %j', (tokens, expected) => expect(firstAdminToken(tokens)).toBe(expected));
});
