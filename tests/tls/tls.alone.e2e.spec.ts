import { afterAll, beforeAll, describe } from '@jest/globals';
import { Stack } from '../stack/stack.ts';
import { tlsCases } from './cases.ts';
import { Encrypted } from './encrypted.ts';

const patient = 180_000;
let encrypted: Encrypted;
let stack: Stack;

beforeAll(async () => {
  encrypted = await Encrypted.make();
  stack = await Stack.start('info', {}, encrypted.surroundings);
}, patient);
afterAll(async () => {
  await stack?.stop();
  encrypted?.remove();
}, patient);

describe('a product whose servers speak TLS', () =>
  tlsCases(
    () => stack,
    () => encrypted,
  ));
