import { expect, it } from '@jest/globals';
import { gatewayDefectsFrom } from './defects.ts';

it('takes the defects that it knows from the environment of a test', () =>
  expect([...gatewayDefectsFrom({ NODE_ENV: 'test', PAYWRIGHT_BREAK: 'no-inbox,answer-as-jsonb' })]).toEqual([
    'answer-as-jsonb',
  ]));

it('is whole anywhere else', () =>
  expect(gatewayDefectsFrom({ NODE_ENV: 'production', PAYWRIGHT_BREAK: 'answer-as-jsonb' }).size).toBe(0));
