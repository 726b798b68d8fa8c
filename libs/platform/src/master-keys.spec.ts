import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { loadConfig } from './config.ts';
import { masterKeyConfig, masterKeys } from './master-keys.ts';

const [oldest, older, newest] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)] as const;
const keysOf = (env: NodeJS.ProcessEnv) => masterKeys(loadConfig(z.object(masterKeyConfig), env));

it('are one key at first', () =>
  expect(keysOf({ MASTER_KEY: oldest })).toEqual({
    newest: oldest,
    former: [],
    profileIds: oldest,
    profileIdsAreOf: 'MASTER_KEY',
  }));

it('keep the key of profile ids through every rotation', () => {
  const former = `${older}, ${oldest}`;
  expect(keysOf({ MASTER_KEY: newest, MASTER_KEY_FORMER: former, PROFILE_ID_KEY: oldest })).toEqual({
    newest,
    former: [older, oldest],
    profileIds: oldest,
    profileIdsAreOf: 'PROFILE_ID_KEY',
  });
  expect(keysOf({ MASTER_KEY: newest, PROFILE_ID_KEY: oldest })).toMatchObject({ former: [], profileIds: oldest });
});

it.each([
  [{ MASTER_KEY_FORMER: older }, 'PROFILE_ID_KEY: must be the first MASTER_KEY'],
  [{ MASTER_KEY_FORMER: newest, PROFILE_ID_KEY: oldest }, 'MASTER_KEY_FORMER: must not name MASTER_KEY itself'],
  [{ MASTER_KEY_FORMER: `${older},sentinel`, PROFILE_ID_KEY: oldest }, 'MASTER_KEY_FORMER: must have at least 32'],
  [{ PROFILE_ID_KEY: 'sentinel' }, 'PROFILE_ID_KEY: must have at least 32 characters'],
])('refuse %j, and show nothing of a key', (env, problem) => {
  const load = () => keysOf({ MASTER_KEY: newest, ...env });
  expect(load).toThrow(problem);
  expect(load).not.toThrow(/sentinel|ccc/);
});
