import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { defectsFrom } from './defects.ts';

describe('defectsFrom', () => {
  const named = { PAYWRIGHT_BREAK: 'no-hand-off,no-inbox,idempotent-producer' };

  it('takes the defects of this lib from the list', () => {
    expect(defectsFrom({ ...named, NODE_ENV: 'test' })).toEqual(new Set(['no-hand-off', 'idempotent-producer']));
  });

  it.each(['production', 'development', undefined])('takes none where NODE_ENV is %s', (mode) => {
    expect(defectsFrom({ ...named, NODE_ENV: mode })).toEqual(new Set());
  });
});

describe('failpointFrom', () => {
  const failpoint = join(import.meta.dirname, 'failpoint.ts');
  const script = `
    import { failpointFrom } from ${JSON.stringify(failpoint)};
    failpointFrom(process.env)('after_append');
    console.log('alive');`;
  const run = (env: Record<string, string>) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' });

  it('kills the process at its point', () => {
    expect(run({ NODE_ENV: 'test', FAILPOINT: 'after_append' })).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  });

  it.each([
    { NODE_ENV: 'test', FAILPOINT: 'after_publish' },
    { NODE_ENV: 'production', FAILPOINT: 'after_append' },
    { NODE_ENV: 'test' },
  ])('lets it live with %j', (env) => {
    expect(run(env)).toMatchObject({ status: 0, stdout: 'alive\n' });
  });
});
