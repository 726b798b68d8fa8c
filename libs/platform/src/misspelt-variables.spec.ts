import { describe, expect, it } from '@jest/globals';
import { misspeltLine, misspeltVariables } from './misspelt-variables.ts';

const known = [
  'ADMIN_TOKENS',
  'FX_RATES_FILE',
  'KAFKA_BROKERS',
  'KAFKA_SSL',
  'KAFKA_SSL_CA',
  'LOG_LEVEL',
  'MASTER_KEY',
  'PAYWALL_DEADLINE_MS',
];

describe('misspeltVariables', () => {
  it.each([
    ['ADMIN_TOKEN', 'ADMIN_TOKENS'],
    ['ADMIN_TOKEN_FILE', 'ADMIN_TOKENS_FILE'],
    ['KAFKA_BORKERS', 'KAFKA_BROKERS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
    ['PAYWALL_DEADLINE', 'PAYWALL_DEADLINE_MS'],
    ['DEADLINE_MS', 'PAYWALL_DEADLINE_MS'],
    ['FX_RATES', 'FX_RATES_FILE'],
    ['MASTER_KEY_FIL', 'MASTER_KEY_FILE'],
  ])('takes %s for %s', (given, meant) => {
    expect(misspeltVariables(known, { [given]: 'something' })).toEqual([{ given, meant }]);
  });

  it.each(['PORT', 'KEY', 'KEY_FILE', 'LEVEL', 'KAFKA_HOME', 'KAFKA_PORT', 'KAFKA_SVC', 'DATABASE_URL', 'TOKENS'])(
    'takes %s for another program’s',
    (given) => {
      expect(misspeltVariables(known, { [given]: 'something' })).toEqual([]);
    },
  );

  it.each([
    ['the right one is set too', { ADMIN_TOKEN: 'a:b', ADMIN_TOKENS: 'a:b' }],
    ['the right one is in a file', { ADMIN_TOKEN: 'a:b', ADMIN_TOKENS_FILE: '/secrets/admin-tokens' }],
    ['the wrong one is empty', { ADMIN_TOKEN: ' ' }],
    ['it is one that is read itself', { KAFKA_SSL_CA: 'pem' }],
  ])('says nothing where %s', (_, env) => {
    expect(misspeltVariables(known, env)).toEqual([]);
  });

  it('names both, and no value', () => {
    const [found] = misspeltVariables(known, { MASTER_KEYS: 'a secret' });
    expect(misspeltLine(found!)).toBe(
      'MASTER_KEYS is set, and nothing reads it. Is MASTER_KEY meant, which is not set?',
    );
  });
});
