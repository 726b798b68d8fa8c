import { expect, it } from '@jest/globals';
import { loadConfig } from '@paywright/platform';
import { gatewayConfig } from './config.ts';
import { validateDeadlineMs } from './purchases/purchase-validation.ts';

const configOf = (changes: Record<string, string>) =>
  loadConfig(gatewayConfig, {
    DATABASE_URL: 'postgres://nowhere',
    KAFKA_BROKERS: 'nowhere:9092',
    MASTER_KEY: 'm'.repeat(32),
    ...changes,
  });

it.each(['PAYWALL_DEADLINE_MS', 'WRITE_DEADLINE_MS'] as const)(
  'lets nothing be awaited for longer than a purchase is: %s',
  (name) => {
    expect(configOf({ [name]: String(validateDeadlineMs) })[name]).toBe(validateDeadlineMs);
    expect(() => configOf({ [name]: String(validateDeadlineMs + 1) })).toThrow(`${name}: must be at most 8000`);
  },
);

it.each([
  ['ops', 'entry 1 must be name:token or name:token:role'],
  ['ops:one,eye:two:root', 'the role of entry 2 must be admin or viewer'],
  ['ops:one,eye:one', 'two entries have the same token'],
])('names ADMIN_TOKENS beside what else is wrong: %s', (text, fault) =>
  expect(() => configOf({ ADMIN_TOKENS: text, PAYWALL_DEADLINE_MS: '1' })).toThrow(
    new RegExp(`\n  ADMIN_TOKENS: ${fault} .*\n  PAYWALL_DEADLINE_MS: `),
  ),
);
