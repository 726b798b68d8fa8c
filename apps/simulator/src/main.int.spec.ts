import { expect, it } from '@jest/globals';
import { forkScript } from '@paywright/platform/testing';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./main.ts', import.meta.url));

it.each([
  ['SIMULATOR_PORT', { SIMULATOR_PORT: 'none' }],
  ['NODE_ENV', { NODE_ENV: 'production' }],
])('starts nothing where %s is wrong, and names it in one line of the log', async (variable, environment) => {
  const { code, logged, errors } = await forkScript(script, null, environment).end();
  expect([code, errors]).toEqual([1, '']);
  const message = expect.stringMatching(`^The configuration is not valid:\n  ${variable}: `);
  expect(logged).toMatchObject([{ level: 'error', service: 'simulator', message }]);
});
