import { expect, it } from '@jest/globals';
import { projectionDefectsFrom } from './defects.ts';

it('takes the defects that it knows from the environment of a test', () =>
  expect([...projectionDefectsFrom({ NODE_ENV: 'test', PAYWRIGHT_BREAK: 'no-inbox,no-parking,no-fencing' })]).toEqual([
    'no-parking',
    'no-fencing',
  ]));

it('is whole anywhere else', () =>
  expect(projectionDefectsFrom({ NODE_ENV: 'production', PAYWRIGHT_BREAK: 'no-parking' }).size).toBe(0));
