import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { AppStoreCredentials } from './app-store-credentials.ts';
import { credentials } from './testing/app-store-world.ts';

const pem = { type: 'pkcs8', format: 'pem' } as const;
const right = { ...credentials, appAppleId: 1234 };

it('are an ES256 key and the numbers that go with it', () => {
  expect(AppStoreCredentials.parse(right)).toEqual(right);
});

it.each([
  ['a key of another curve', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export(pem)],
  ['a key of another kind', generateKeyPairSync('ed25519').privateKey.export(pem)],
  [
    'a public key',
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }),
  ],
  ['no key', 'x'],
])('are not with %s, and what is said of it does not hold it', (_, privateKey) => {
  const { error } = AppStoreCredentials.safeParse({ ...right, privateKey });
  expect(error?.issues.map(({ path }) => path)).toEqual([['privateKey']]);
  expect(JSON.stringify(error)).not.toContain(privateKey.toString().split('\n').at(1) ?? 'PRIVATE');
});

it.each([{ issuerId: '' }, { keyId: undefined }, { appAppleId: '1234' }, { appAppleId: 1.5 }])(
  'are not with %j',
  (over) => {
    expect(AppStoreCredentials.safeParse({ ...right, ...over }).success).toBe(false);
  },
);
