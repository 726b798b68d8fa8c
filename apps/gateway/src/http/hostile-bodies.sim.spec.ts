import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import { restRoutes } from '../testing/rest-routes.ts';
import { secretKey, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.app.close());

const fieldNames = [
  ...[
    'profileId',
    'customerUserId',
    'appUserId',
    'placementId',
    'paywallSessionId',
    'custom',
    'key',
    'value',
    'attrId',
  ],
  ...['country', 'device', 'os', 'platform', 'appVersion', 'ip', 'ipAddress', 'email', 'eventType', 'paywallId'],
  ...['isExperiment', 'aiPricingModelId', 'store', 'locale', '__proto__', 'constructor', 'toString'],
  ...['productId', 'transactionId', 'originalTransactionId', 'purchaseToken', 'token', 'price', 'isSubscription'],
  ...['subscriptionOfferDetails', 'pricingPhases', 'oneTimePurchaseOfferDetails', 'priceAmountMicros'],
];
const likely = fc.constantFrom<unknown>(
  'DE',
  'USA',
  'ios',
  'onboarding',
  'app_store',
  '::1',
  'paywall_shown',
  '',
  null,
  1,
  true,
);
const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.constant('\0'), fc.constant('\ud800'));
const scalar = fc.oneof(likely, text, fc.double(), fc.boolean(), fc.maxSafeInteger());
const { body } = fc.letrec<{ body: unknown }>((tie) => ({
  body: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('body'), { maxLength: 4 }),
    fc.uniqueArray(fc.tuple(fc.constantFrom(...fieldNames), tie('body')), { maxLength: 8 }).map(jsonObject),
  ),
}));

/** By its JSON text, so that `__proto__` becomes a field as it does for a client. */
function jsonObject(fields: readonly (readonly [string, unknown])[]): unknown {
  return JSON.parse(
    `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`,
  );
}

async function answerTo(method: 'POST' | 'PUT', url: string, payload: string | Buffer, key?: string) {
  const headers = {
    authorization: secretKey,
    'content-type': 'application/json',
    ...(key && { 'idempotency-key': key }),
  };
  return gateway.inject({ method, url, headers, payload });
}

function expectHonestAnswer({ statusCode, body: answer }: { statusCode: number; body: string }): void {
  expect(statusCode).toBeLessThan(500);
  expect(answer).not.toMatch(/\n\s*at |node_modules|\.ts:\d|file:\/\//);
  const { ok, error, code } = JSON.parse(answer);
  if (statusCode < 300) expect(ok).toBe(true);
  else expect([typeof error, code]).toEqual(['string', expect.stringMatching(/^[A-Z_]+$/)]);
}

describe.each(restRoutes)('%s %s', (method, url) => {
  it('answers any JSON without a fault of its own', () =>
    fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (json, keyed) => {
        const payload = JSON.stringify(json) ?? 'null';
        const key = keyed ? `key-${payload.length}` : undefined;
        expectHonestAnswer(await answerTo(method, url, payload, key));
      }),
      { numRuns: 60 },
    ));

  it('answers any bytes without a fault of its own', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expectHonestAnswer(await answerTo(method, url, Buffer.from(bytes)));
      }),
      { numRuns: 30 },
    ));

  it.each(['[', '{"x":'])('answers 50,000 times %s', async (opening) => {
    const closing = opening === '[' ? ']' : '}';
    const depth = 50_000; // no stack goes half as deep
    const payload = `${opening.repeat(depth)}1${closing.repeat(depth)}`;
    expectHonestAnswer(await answerTo(method, url, payload, 'deep'));
  });
});
