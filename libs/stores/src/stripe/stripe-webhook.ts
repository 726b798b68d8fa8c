import type { Clock } from '@paywright/platform';
import type Stripe from 'stripe';
import { z } from 'zod';
import { StoreFault } from '../store-fault.ts';
import { InvoiceParent } from './stripe-answers.ts';

const toleranceSeconds = 300;

/** What an event speaks of, to be fetched. */
export type StripeSubject =
  /** `chargeId`: see observeStripeSubscription. */
  | { readonly kind: 'subscription'; readonly id: string; readonly chargeId?: string | undefined }
  /** By its payment intent, by the checkout of what cost nothing, or by an invoice, which may be a subscription's. */
  | { readonly kind: 'payment'; readonly id: string }
  | { readonly kind: 'customer'; readonly id: string }
  | { readonly kind: 'charge'; readonly id: string; readonly paymentIntent: string | null };

/** An event says only that something changed: what, the objects themselves have to be asked. */
export interface StripeNotification {
  readonly notificationId: string;
  readonly type: string;
  readonly environment: 'production' | 'sandbox';
  /** By Stripe's clock, in milliseconds. */
  readonly sentAt: number;
  /** Null: nothing to ask for, the event is only recorded. */
  readonly subject: StripeSubject | null;
}

const id = z.string().min(1).max(255);
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish();
export const StripeEvent = z.object({
  id,
  type: id,
  livemode: z.boolean(),
  created: z.int(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
});
type StripeEvent = z.output<typeof StripeEvent>;
const Named = z.object({ id });
const Schedule = z.object({ subscription: reference, released_subscription: reference });
const OfCustomer = z.object({ customer: reference, subscription: reference });
const Session = z.object({ subscription: reference, payment_intent: reference });
const FreeSession = z.object({ id, mode: z.literal('payment'), payment_status: z.literal('no_payment_required') });
const Charge = z.object({ id, payment_intent: reference });
const CreditNote = z.object({ invoice: reference });
const OfInvoice = z.object({ payment: z.object({ payment_intent: reference }) });
const OfCharge = z.object({ charge: reference, payment_intent: reference });

type Reader = (object: Record<string, unknown>) => StripeSubject | null;

/** Reads the subject by the beginning of the event's type; of other types nothing is asked. */
const readers: readonly (readonly [prefix: string, read: Reader])[] = [
  ['customer.subscription.', subscription],
  ['subscription_schedule.', schedule],
  ['customer.discount.', ofCustomer],
  ['credit_note.', creditNote],
  ['checkout.session.completed', checkout],
  ['checkout.session.async_payment_succeeded', checkout],
  ['invoice.', invoice],
  ['invoice_payment.paid', invoicePayment],
  ['charge.refunded', charge],
  // Of what was authorized before.
  ['charge.captured', charge],
  // Tells, among other things, that Stripe took its fee: up to an hour after the payment.
  ['charge.updated', charge],
  ['charge.refund.updated', ofCharge],
  ['charge.dispute.', ofCharge],
  ['refund.', ofCharge],
];

/**
 * Verifies a webhook and reads what it speaks of.
 * @param raw the body as it came, byte for byte
 * @param signature the header `Stripe-Signature`
 * @param secrets any one of them will do
 * @throws StoreFault notification-invalid (forged, altered, stamped more than 300 s away from the clock, no event);
 * not-configured if there is no secret
 */
export async function readStripeWebhook(
  raw: Buffer,
  signature: string | undefined,
  secrets: readonly string[],
  clock: Clock,
): Promise<StripeNotification> {
  if (secrets.length === 0) throw new StoreFault('not-configured', 'The app has no webhook secret of Stripe.');
  const now = clock.now();
  const { default: library } = await import('stripe');
  if (
    signature === undefined ||
    !isStampedNear(signature, now) ||
    !secrets.some((secret) => isSigned(library, { raw, signature, secret, now }))
  )
    throw new StoreFault('notification-invalid', 'The signature of the event does not hold.');
  const read = StripeEvent.safeParse(parseJson(raw));
  if (!read.success) throw new StoreFault('notification-invalid', 'The body is no event of Stripe.');
  return stripeNotificationOf(read.data);
}

/** What an event speaks of, wherever it was read. */
export function stripeNotificationOf({ id, type, livemode, created, data }: StripeEvent): StripeNotification {
  const reader = readers.find(([prefix]) => type.startsWith(prefix))?.[1];
  return {
    notificationId: id,
    type,
    environment: livemode ? 'production' : 'sandbox',
    sentAt: created * 1000,
    subject: reader?.(data.object) ?? null,
  };
}

/** The library takes every stamp of the future, and the last of several: so one is asked for, near to now. */
function isStampedNear(signature: string, now: number): boolean {
  const stamps = signature.split(',').filter((part) => part.startsWith('t='));
  const seconds = /^t=(\d{1,12})$/.exec(stamps[0] ?? '')?.[1];
  return stamps.length === 1 && seconds !== undefined && Math.abs(now / 1000 - Number(seconds)) <= toleranceSeconds;
}

interface Signed {
  readonly raw: Buffer;
  readonly signature: string;
  readonly secret: string;
  readonly now: number;
}

function isSigned({ webhooks }: typeof Stripe, { raw, signature, secret, now }: Signed): boolean {
  try {
    webhooks.constructEvent(raw, signature, secret, toleranceSeconds, undefined, now);
    return true;
  } catch {
    return false;
  }
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

function subscription(object: unknown): StripeSubject | null {
  const read = Named.safeParse(object);
  return read.success ? { kind: 'subscription', id: read.data.id } : null;
}

function schedule(object: unknown): StripeSubject | null {
  const { data } = Schedule.safeParse(object);
  const subscriptionId = data?.subscription ?? data?.released_subscription;
  return subscriptionId ? { kind: 'subscription', id: subscriptionId } : null;
}

/** A customer's discount makes all that they have cost less. */
function ofCustomer(object: unknown): StripeSubject | null {
  const { data } = OfCustomer.safeParse(object);
  if (data?.subscription) return { kind: 'subscription', id: data.subscription };
  return data?.customer ? { kind: 'customer', id: data.customer } : null;
}

function checkout(object: unknown): StripeSubject | null {
  const { data } = Session.safeParse(object);
  if (data?.subscription) return { kind: 'subscription', id: data.subscription };
  const paid = data?.payment_intent ?? FreeSession.safeParse(object).data?.id;
  return paid ? { kind: 'payment', id: paid } : null;
}

function invoice(object: unknown): StripeSubject | null {
  const { data } = InvoiceParent.safeParse(object);
  const subscriptionId = data?.parent?.subscription_details?.subscription ?? data?.subscription;
  return subscriptionId ? { kind: 'subscription', id: subscriptionId } : null;
}

/** Of what its invoice is, the invoice tells. */
function creditNote(object: unknown): StripeSubject | null {
  const { data } = CreditNote.safeParse(object);
  return data?.invoice ? { kind: 'payment', id: data.invoice } : null;
}

/** A part of an invoice was paid, perhaps not the rest. */
function invoicePayment(object: unknown): StripeSubject | null {
  const { data } = OfInvoice.safeParse(object);
  return data?.payment.payment_intent ? { kind: 'payment', id: data.payment.payment_intent } : null;
}

function charge(object: unknown): StripeSubject | null {
  const { data } = Charge.safeParse(object);
  return data ? { kind: 'charge', id: data.id, paymentIntent: data.payment_intent ?? null } : null;
}

function ofCharge(object: unknown): StripeSubject | null {
  const { data } = OfCharge.safeParse(object);
  return data?.charge ? { kind: 'charge', id: data.charge, paymentIntent: data.payment_intent ?? null } : null;
}
