import { expect, it } from '@jest/globals';
import { ConfigurationError } from './config.ts';
import { tellingOf } from './told-error.ts';

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' });

it.each([
  [
    'what is to be mended',
    new ConfigurationError([{ variable: 'LOG_LEVEL', problem: 'is none' }]),
    'The configuration is not valid:\n  LOG_LEVEL: is none',
  ],
  ['a server that is not there', refused(5432), 'connect ECONNREFUSED 127.0.0.1:5432'],
  [
    'a server with two addresses',
    Object.assign(new AggregateError([refused(1), refused(2)], ''), { code: 'ECONNREFUSED' }),
    'connect ECONNREFUSED 127.0.0.1:1',
  ],
  [
    'a call that found no server',
    new TypeError('fetch failed', { cause: refused(3000) }),
    'fetch failed: connect ECONNREFUSED 127.0.0.1:3000',
  ],
])('tells of %s by its message alone', (_, error, telling) => {
  expect(tellingOf(error)).toBe(telling);
});

it('tells all of a defect, so that its place can be found', () => {
  const defect = new TypeError('x is not a function');
  expect(tellingOf(defect)).toBe(defect);
  expect(tellingOf('thrown')).toBe('thrown');
});
