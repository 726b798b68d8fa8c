import { afterAll, beforeAll, describe } from '@jest/globals';
import { Stack } from '../stack/stack.ts';
import { erasureCases } from './erasure.ts';
import { personalFieldCases } from './personal-fields.ts';

const patient = 180_000;
let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start('debug');
}, patient);
afterAll(() => stack?.stop(), patient);

describe('personal fields', () => personalFieldCases(() => stack));
describe('an erased person’s fields', () => erasureCases(() => stack));
