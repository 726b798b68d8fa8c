import { expect, it } from '@jest/globals';
import { namedDefects } from './named-defects.ts';

const known = ['no-inbox', 'no-parking'] as const;
const PAYWRIGHT_BREAK = 'no-inbox,no-hand-off';

it('takes the defects that a part knows from the list of a test', () =>
  expect(namedDefects(known, { NODE_ENV: 'test', PAYWRIGHT_BREAK })).toEqual(new Set(['no-inbox'])));

it.each(['production', 'development', undefined])('takes none where NODE_ENV is %s', (NODE_ENV) =>
  expect(namedDefects(known, { NODE_ENV, PAYWRIGHT_BREAK })).toEqual(new Set()),
);
