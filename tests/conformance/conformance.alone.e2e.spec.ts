import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { startProduct, type Product } from '@paywright/testing';
import { conformanceCases, patiently } from './conformance-cases.ts';

const [adminToken, viewerToken] = [randomUUID(), randomUUID()];
const startMs = 240_000;

let product: Product;

beforeAll(async () => {
  const ADMIN_TOKENS = `suite:${adminToken}:admin,reader:${viewerToken}:viewer`;
  product = await startProduct({ env: { ADMIN_TOKENS, ...patiently } });
}, startMs);

afterAll(async () => {
  await product?.stop();
}, startMs);

conformanceCases(() => ({ url: product.gateway, adminToken, viewerToken }));
