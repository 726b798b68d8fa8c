import { afterAll, beforeAll } from '@jest/globals';
import { startOtlpCollector, type OtlpCollector } from '@paywright/platform/testing';
import { Stack } from '../stack/stack.ts';
import { oneTraceCases, tracing } from './one-trace.ts';

const patient = 180_000;
let collector: OtlpCollector;
let stack: Stack;

beforeAll(async () => {
  collector = await startOtlpCollector();
  stack = await Stack.start('debug', tracing(collector));
}, patient);
afterAll(async () => {
  await stack?.stop();
  await collector?.[Symbol.asyncDispose]();
}, patient);

oneTraceCases(
  () => stack,
  () => collector,
);
