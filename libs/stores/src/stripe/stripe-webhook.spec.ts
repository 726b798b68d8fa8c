import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import Stripe from 'stripe';
import { StoreFault } from '../store-fault.ts';
import { secretsIn } from '../testing/secrets-in.ts';
import { stripeWebhook } from '../testing/stripe-webhook.ts';
import { readStripeWebhook } from './stripe-webhook.ts';

const now = Date.UTC(2026, 10, 20, 12);
const secret = 'whsec_A';
const clock = new ManualClock(now);
const event = (type: string, object: object, livemode = true) =>
  ({ id: 'evt_1', object: 'event', type, livemode, created: now / 1000 - 5, data: { object } }) as const;
const updated = event('customer.subscription.updated', {
  id: 'sub_1',
  object: 'subscription',
  description: 'Jahresabo für Zoë ✓',
});

const verdict = async (raw: Buffer, signature: string | undefined, secrets: readonly string[] = [secret]) => {
  try {
    return (await readStripeWebhook(raw, signature, secrets, clock)).type;
  } catch (error) {
    expect(secretsIn(error, ['whsec_', 'sub_1', 'v1=', 'evt_1'])).toEqual([]);
    return error instanceof StoreFault ? error.kind : error;
  }
};
const stampedAt = (ms: number) => stripeWebhook(updated, secret, ms);
const type = 'customer.subscription.updated';

describe('readStripeWebhook, signatures', () => {
  it('takes the body as it came, pretty-printed and with UTF-8, and no other (D24)', async () => {
    const { raw, signature } = stampedAt(now);
    expect(raw.toString()).toContain('\n  "object": "event"');
    expect(await verdict(raw, signature)).toBe(type);
    expect(await verdict(Buffer.from(JSON.stringify(updated)), signature)).toBe('notification-invalid');
    const changed = Buffer.from(raw);
    changed[20] = changed[20]! ^ 1;
    expect(await verdict(changed, signature)).toBe('notification-invalid');
  });

  it('takes stamps of 300 seconds before and after its clock, and no others', async () => {
    for (const seconds of [-300, 300]) {
      const { raw, signature } = stampedAt(now + seconds * 1000);
      expect(await verdict(raw, signature)).toBe(type);
    }
    for (const seconds of [-301, 301, -100_000_000, 100_000_000]) {
      const { raw, signature } = stampedAt(now + seconds * 1000);
      expect(await verdict(raw, signature)).toBe('notification-invalid');
    }
  });

  it('takes any of the secrets, and of two signatures the good one', async () => {
    const { raw, signature } = stampedAt(now);
    const stranger = stripeWebhook(updated, 'whsec_B', now).signature;
    const signatures = (header: string) => header.split(',').slice(1).join(',');
    expect(await verdict(raw, signature, ['whsec_old', secret])).toBe(type);
    expect(await verdict(raw, `${stranger},${signatures(signature)}`)).toBe(type);
    expect(await verdict(raw, stranger)).toBe('notification-invalid');
    expect(await verdict(raw, signature, [' '])).toBe('notification-invalid');
    expect(await verdict(raw, signature, [])).toBe('not-configured');
  });

  it('refuses a header that is missing, altered, doubled or of another scheme', async () => {
    const { raw, signature } = stampedAt(now);
    const [stamp = '', v1 = ''] = signature.split(',');
    const headers = [
      undefined,
      '',
      stamp,
      v1,
      `t=${now / 1000 - 1},${v1}`,
      `${stamp},${v1.replace('v1=', 'v0=')}`,
      `t=${now / 1000 - 400},${stamp},${v1}`,
      `${stamp},t=${now / 1000 + 400},${v1}`,
      `t=x,${v1}`,
      `${stamp},v1=`,
    ];
    for (const header of headers) expect(await verdict(raw, header)).toBe('notification-invalid');
  });

  it('refuses a signature for another time that hides behind a stamp of now', async () => {
    const { raw, signature } = stampedAt(now + 400_000);
    expect(await verdict(raw, `t=${now / 1000},${signature}`)).toBe('notification-invalid');
  });

  it('refuses a signed body that is no event', async () => {
    for (const payload of ['{}', 'null', '[]', 'no json', JSON.stringify({ ...updated, data: null })]) {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: now / 1000 });
      expect(await verdict(Buffer.from(payload), signature)).toBe('notification-invalid');
    }
  });
});

describe('readStripeWebhook, subjects', () => {
  const read = (name: string, object: object, livemode = true) => {
    const { raw, signature } = stripeWebhook(event(name, object, livemode), secret, now);
    return readStripeWebhook(raw, signature, [secret], clock);
  };

  it('reads what identifies the event', async () => {
    expect(await read('customer.subscription.deleted', { id: 'sub_1' }, false)).toEqual({
      notificationId: 'evt_1',
      type: 'customer.subscription.deleted',
      environment: 'sandbox',
      sentAt: now - 5000,
      subject: { kind: 'subscription', id: 'sub_1' },
    });
  });

  it.each<[string, object, object | null]>([
    ['customer.subscription.created', { id: 'sub_1' }, { kind: 'subscription', id: 'sub_1' }],
    ['subscription_schedule.updated', { id: 's', subscription: 'sub_1' }, { kind: 'subscription', id: 'sub_1' }],
    ['subscription_schedule.released', { released_subscription: 'sub_1' }, { kind: 'subscription', id: 'sub_1' }],
    ['subscription_schedule.created', { subscription: null }, null],
    [
      'checkout.session.completed',
      { subscription: 'sub_1', payment_intent: null },
      { kind: 'subscription', id: 'sub_1' },
    ],
    ['checkout.session.completed', { subscription: null, payment_intent: 'pi_1' }, { kind: 'payment', id: 'pi_1' }],
    ['checkout.session.completed', { subscription: null, payment_intent: null }, null],
    [
      'checkout.session.completed',
      { id: 'cs_1', mode: 'payment', payment_status: 'no_payment_required', payment_intent: null },
      { kind: 'payment', id: 'cs_1' },
    ],
    ['checkout.session.completed', { id: 'cs_1', mode: 'setup', payment_status: 'no_payment_required' }, null],
    [
      'invoice.paid',
      { parent: { subscription_details: { subscription: 'sub_1' } } },
      { kind: 'subscription', id: 'sub_1' },
    ],
    ['invoice.paid', { subscription: { id: 'sub_1' } }, { kind: 'subscription', id: 'sub_1' }],
    ['invoice_payment.paid', { invoice: 'in_1', payment: { payment_intent: 'pi_1' } }, { kind: 'payment', id: 'pi_1' }],
    ['invoice_payment.paid', { invoice: 'in_1', payment: { payment_record: 'prec_1' } }, null],
    ['invoice.payment_failed', { parent: null }, null],
    ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }, { kind: 'charge', id: 'ch_1', paymentIntent: 'pi_1' }],
    ['charge.captured', { id: 'ch_1', payment_intent: 'pi_1' }, { kind: 'charge', id: 'ch_1', paymentIntent: 'pi_1' }],
    ['charge.updated', { id: 'ch_1', payment_intent: 'pi_1' }, { kind: 'charge', id: 'ch_1', paymentIntent: 'pi_1' }],
    [
      'charge.refund.updated',
      { id: 're_1', charge: 'ch_1', payment_intent: 'pi_1' },
      { kind: 'charge', id: 'ch_1', paymentIntent: 'pi_1' },
    ],
    [
      'refund.failed',
      { id: 're_1', charge: 'ch_1', payment_intent: null },
      { kind: 'charge', id: 'ch_1', paymentIntent: null },
    ],
    [
      'charge.dispute.closed',
      { id: 'dp_1', charge: 'ch_1', payment_intent: 'pi_1' },
      { kind: 'charge', id: 'ch_1', paymentIntent: 'pi_1' },
    ],
    ['customer.discount.created', { customer: 'cus_1', subscription: null }, { kind: 'customer', id: 'cus_1' }],
    [
      'customer.discount.deleted',
      { customer: { id: 'cus_1' }, subscription: 'sub_1' },
      { kind: 'subscription', id: 'sub_1' },
    ],
    ['credit_note.created', { invoice: 'in_1', customer: 'cus_1' }, { kind: 'payment', id: 'in_1' }],
    ['credit_note.updated', { invoice: { id: 'in_1' } }, { kind: 'payment', id: 'in_1' }],
    ['credit_note.created', { invoice: null }, null],
    ['customer.discount.updated', { customer: null }, null],
    ['charge.succeeded', { id: 'ch_1', payment_intent: 'pi_1' }, null],
    ['customer.updated', { id: 'cus_1' }, null],
    ['of.tomorrow', {}, null],
    ['customer.subscription.updated', { id: 7 }, null],
  ])('reads from %s of %j', async (name, object, subject) => {
    expect((await read(name, object)).subject).toEqual(subject);
  });
});
