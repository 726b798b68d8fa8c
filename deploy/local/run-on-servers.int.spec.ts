import { expect, it } from '@jest/globals';
import { forkScript } from '@paywright/platform/testing';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../erasures/main.ts', import.meta.url));

it.each([
  ['DATABASE_URL', { DATABASE_URL: 'somewhere', KAFKA_BROKERS: 'one:9092' }],
  ['KAFKA_BROKERS', { DATABASE_URL: 'postgres://somewhere', KAFKA_BROKERS: 'one' }],
])('a command on database and broker says what is wrong with %s, and nothing else', async (variable, environment) => {
  const { code, said, errors } = await forkScript(script, null, environment).end();
  expect([code, said]).toEqual([1, []]);
  expect(errors).toMatch(new RegExp(`^The configuration is not valid:\\n  ${variable}: .*\\n$`));
});
