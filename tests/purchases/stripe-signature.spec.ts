import { describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { signedByStripe, stripeSignature } from './stripe-signature.ts';

const stripe = new Stripe('sk_test_none');
const payload = '{"id":"evt_1","object":"event","note":"Grüße"}';
const seconds = 1_800_000_000;
const construct = (body: string, header: string, secret = 'whsec_A') =>
  stripe.webhooks.constructEvent(body, header, secret, 300, undefined, seconds * 1_000);

describe('stripeSignature', () => {
  it('is what Stripe’s library expects, of these bytes and this secret alone', () => {
    const header = stripeSignature(payload, 'whsec_A', seconds);
    expect(construct(payload, header)).toMatchObject({ id: 'evt_1' });
    expect(() => construct(`${payload} `, header)).toThrow();
    expect(() => construct(payload, header, 'whsec_B')).toThrow();
  });

  it('replaces what a letter was signed with', () => {
    const letter = { path: '/', headers: { 'stripe-signature': 'old', 'x-other': '1' }, body: Buffer.from(payload) };
    const { headers } = signedByStripe(letter, 'whsec_A', seconds);
    expect(headers).toEqual({ 'stripe-signature': stripeSignature(payload, 'whsec_A', seconds), 'x-other': '1' });
  });
});
