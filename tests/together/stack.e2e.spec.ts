import { afterAll, beforeAll, describe } from '@jest/globals';
import { startOtlpCollector, type OtlpCollector } from '@paywright/platform/testing';
import { oneTraceCases, tracing } from '../observability/one-trace.ts';
import { erasureCases } from '../personal-fields/erasure.ts';
import { personalFieldCases } from '../personal-fields/personal-fields.ts';
import { Stack } from '../stack/stack.ts';
import { tlsCases } from '../tls/cases.ts';
import { Encrypted } from '../tls/encrypted.ts';

const patient = 180_000;
let encrypted: Encrypted;
let collector: OtlpCollector;
let opened: Stack;
const stack = (): Stack => opened;

beforeAll(async () => {
  [encrypted, collector] = await Promise.all([Encrypted.make(), startOtlpCollector()]);
  opened = await Stack.start('debug', tracing(collector), encrypted.surroundings);
}, patient);
afterAll(async () => {
  await opened?.stop();
  await collector?.[Symbol.asyncDispose]();
  encrypted?.remove();
}, patient);

// Traces come first: the metrics that they look for must be there without what the others do.
oneTraceCases(stack, () => collector);
describe('a product whose servers speak TLS', () => tlsCases(stack, () => encrypted));
describe('personal fields', () => personalFieldCases(stack));
describe('an erased person’s fields', () => erasureCases(stack));
