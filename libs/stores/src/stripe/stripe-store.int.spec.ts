import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnswerFault } from '../testing/loopback-server.ts';
import { subject, StripeScene } from '../testing/stripe-scene.ts';

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

describe('stripeStore, when Stripe is not well', () => {
  const faults: AnswerFault[] = ['refused', 'forbidden', 'too-many', 'broken', 'html', 'garbage', 'slow', 'reset'];

  /**
   * The library repeats a call once if the connection was closed: an idle one may have been. What is forbidden is asked
   * for once more with less around it.
   */
  const times = (kind: AnswerFault) => (kind === 'reset' || kind === 'forbidden' ? 2 : 1);
  const fail = (kind: AnswerFault, on: RegExp) => {
    for (let time = 0; time < times(kind); time++) scene.stripe.faults.push({ kind, on });
    return scene.faultOf(scene.store(kind === 'slow' ? 300 : 5000).observe(subject));
  };

  it.each(faults)('is unavailable when the subscription is %s, and does not insist', async (kind) => {
    scene.subscribed();
    expect(await fail(kind, /subscriptions/)).toBe('unavailable');
    expect(scene.stripe.calls.filter(({ path }) => path.includes('subscriptions'))).toHaveLength(times(kind));
  });

  it('is left alone for as long as it says, once it was asked too much', async () => {
    scene.subscribed();
    scene.stripe.faults.push({ kind: 'too-many', on: /invoices/ });
    await expect(scene.store().observe(subject)).rejects.toMatchObject({ kind: 'unavailable', restMs: 7_000 });
    scene.stripe.faults.push({ kind: 'broken', on: /invoices/ });
    await expect(scene.store().observe(subject)).rejects.toMatchObject({ kind: 'unavailable', restMs: null });
  });

  it.each(faults.filter((kind) => kind !== 'garbage'))('is unavailable when the invoices are %s', async (kind) => {
    scene.subscribed();
    expect(await fail(kind, /invoices/)).toBe('unavailable');
  });

  it('checks the key, and says in a sentence what is wrong', async () => {
    expect(await scene.store().checkCredentials()).toEqual({ ok: true, message: 'Stripe takes the API key.' });
    const wrong = { ok: false, message: 'Stripe refused the API key.' };
    expect(await scene.store(5000, 'sk_live_other').checkCredentials()).toEqual(wrong);
    scene.stripe.faults.push({ kind: 'forbidden', on: /disputes/ });
    expect(await scene.store().checkCredentials()).toMatchObject({
      ok: false,
      message: expect.stringContaining('may not read'),
    });
  });

  it('takes a key that may not read events, and says what that costs', async () => {
    scene.stripe.faults.push({ kind: 'forbidden', on: /events/ });
    expect(await scene.store().checkCredentials()).toEqual({
      ok: true,
      message: 'Stripe takes the API key but shows it no events, so what no webhook told of is not found.',
    });
  });

  it('does not know what Stripe does not know, and is unavailable with a wrong key', async () => {
    expect(await scene.faultOf(scene.store().observe(subject))).toBe('not-found');
    scene.subscribed();
    expect(await scene.faultOf(scene.store(5000, 'sk_live_other').observe(subject))).toBe('unavailable');
  });
});
