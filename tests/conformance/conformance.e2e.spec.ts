import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { startProduct, type Product } from '@paywright/testing';
import type { Deployment } from './case.ts';
import { cases } from './cases.ts';
import { prepare } from './preparation.ts';

const [adminToken, viewerToken] = [randomUUID(), randomUUID()];
const startMs = 240_000;
const caseMs = 60_000;

let product: Product;
let deployment: Deployment;

beforeAll(async () => {
  const ADMIN_TOKENS = `suite:${adminToken}:admin,reader:${viewerToken}:viewer`;
  const WRITE_DEADLINE_MS = '8000'; // how soon is measured elsewhere: here a busy machine takes its time
  product = await startProduct({ env: { ADMIN_TOKENS, WRITE_DEADLINE_MS } });
  deployment = await prepare({ url: product.gateway, adminToken, viewerToken });
}, startMs);

afterAll(async () => {
  await product?.stop();
}, caseMs);

describe.each([...new Set(cases.map(({ reference }) => reference))])('%s', (reference) => {
  it.each(cases.filter((tried) => tried.reference === reference))(
    '$sentence',
    async ({ missing, run }) => {
      assert.equal(missing(deployment), null);
      await run(deployment);
    },
    caseMs,
  );
});
