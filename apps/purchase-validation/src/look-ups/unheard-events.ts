import { chainIdOf } from '@paywright/purchases';
import type { PurchaseQueries } from '@paywright/read-model';
import type { StripeNotification } from '@paywright/stores';

/** Stripe stamps events by whole seconds, and its clock is not ours. */
const toleranceMs = 2_000;

/** Of each object the newest event, as all of them only say that it changed. @param events newest first */
export function newestOfEach(events: readonly StripeNotification[]): readonly StripeNotification[] {
  const bySubject = new Map<string, StripeNotification>();
  for (const event of events) {
    const name = event.subject && `${event.subject.kind} ${event.subject.id}`;
    if (name !== null && !bySubject.has(name)) bySubject.set(name, event);
  }
  return [...bySubject.values()];
}

/** Whether Stripe was asked about the event's object after it: then what it tells is known. */
export async function isHeard(
  purchases: Pick<PurchaseQueries, 'findChain'>,
  appId: number,
  { subject, sentAt }: StripeNotification,
): Promise<boolean> {
  if (subject?.kind !== 'subscription' && subject?.kind !== 'payment') return false;
  const chain = await purchases.findChain(chainIdOf(appId, 'stripe', subject.id));
  return chain !== null && chain.observedAt > sentAt + toleranceMs;
}
