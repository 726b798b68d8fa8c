import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { type StripeStore, stripeStore } from '@paywright/stores';
import { isGoThere, startStripeMock, type StripeMock } from './stripe-mock.ts';

const clock = new ManualClock(Date.UTC(2026, 10, 20, 12));
const inTime = () => AbortSignal.timeout(20_000);

/** stripe-mock refuses paths, parameters and keys that the real API does not have, and knows every id. */
function callsAreTaken(): void {
  let mock: StripeMock;
  let store: StripeStore;
  const storeOf = (apiKey: string) => stripeStore(apiKey, { baseUrl: mock.url, timeoutMs: 10_000, clock });

  beforeAll(async () => {
    mock = await startStripeMock();
    store = storeOf('sk_test_123');
  }, 300_000);
  afterAll(async () => {
    await mock?.[Symbol.asyncDispose]();
  });

  it.each([
    ['a subscription with its invoices and refunds', { kind: 'subscription', id: 'sub_123' }],
    ['a payment', { kind: 'payment', id: 'pi_123' }],
    ['a customer', { kind: 'customer', id: 'cus_123' }],
    ['a charge', { kind: 'charge', id: 'ch_123', paymentIntent: 'pi_123' }],
  ] as const)('for %s', async (_, subject) => {
    const found = await store.observe(subject, inTime());
    expect(found?.observation).toMatchObject({
      store: 'stripe',
      environment: 'sandbox',
      subscription: { status: 'active' },
    });
  });

  it('for a checkout, of which it knows one that was not for nothing', async () => {
    expect(await store.observe({ kind: 'payment', id: 'cs_123' }, inTime())).toBeNull();
  });

  it('for the events of a time', async () => {
    const period = { from: clock.now() - 3_600_000, to: clock.now(), after: null };
    expect(await store.eventHistory(period, inTime())).toMatchObject({ notifications: expect.any(Array) });
  });

  it('for all that a check of credentials asks', async () => {
    expect(await store.checkCredentials(inTime())).toEqual({ ok: true, message: 'Stripe takes the API key.' });
  });

  it('and its no to a key is told', async () => {
    expect(await storeOf('no-key').checkCredentials(inTime())).toMatchObject({ ok: false });
  });
}

if (isGoThere) describe('stripe-mock takes our calls', callsAreTaken);
else
  it('NOT RUN: stripe-mock needs Go on the PATH', () => {
    console.warn('Go is not on the PATH: Stripe’s own stripe-mock was NOT asked whether it takes our calls.');
    expect(isGoThere).toBe(false);
  });
