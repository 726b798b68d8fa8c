import assert from 'node:assert/strict';
import type { Json } from './http.ts';

/** What a paywall has in v1 and in v2. */
export const commonFields = ['id', 'externalId', 'name', 'isExperiment', 'aiPricingModelId', 'paywallSessionId'];

/** The types of the common fields. */
export function checkCommon(paywall: Json): void {
  assert.ok(Number.isInteger(paywall.id));
  assert.equal(typeof paywall.externalId, 'string');
  assert.equal(typeof paywall.name, 'string');
  assert.equal(typeof paywall.isExperiment, 'boolean');
  assert.ok(paywall.aiPricingModelId === null || Number.isInteger(paywall.aiPricingModelId));
  assert.ok(typeof paywall.paywallSessionId === 'string' && paywall.paywallSessionId.length > 0);
}
