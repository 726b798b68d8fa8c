import type Stripe from 'stripe';
import { z } from 'zod';
import { readAnswer } from '../store-answer.ts';
import { StoreFault } from '../store-fault.ts';
import { askStripe, insteadIfForbidden } from './stripe-api.ts';
import { stripeHistoryTypes } from './stripe-history-types.ts';
import { StripeEvent, stripeNotificationOf, type StripeNotification } from './stripe-webhook.ts';

/** What of the history is wanted: times in milliseconds, at most 30 days back; `after` is the page before's `next`. */
export interface StripeEventPage {
  readonly from: number;
  readonly to: number;
  readonly after: string | null;
}

export interface StripeEventHistory {
  /** Newest first. */
  readonly notifications: readonly StripeNotification[];
  /** null: that was all. */
  readonly next: string | null;
}

const Page = z.object({ data: z.array(StripeEvent), has_more: z.boolean() });

/** @throws StoreFault; see StripeStore.eventHistory */
export async function readStripeEvents(
  stripe: Stripe,
  { from, to, after }: StripeEventPage,
  signal: AbortSignal,
): Promise<StripeEventHistory> {
  const query = {
    created: { gte: Math.floor(from / 1000), lte: Math.ceil(to / 1000) },
    types: [...stripeHistoryTypes],
    limit: 100,
    ...(after !== null && { starting_after: after }),
  };
  const answer = await askStripe(() => stripe.events.list(query).catch(insteadIfForbidden(null)), signal);
  if (answer === null) throw new StoreFault('not-configured', 'The API key of Stripe may not read events.');
  const { data, has_more: hasMore } = readAnswer('Stripe', Page, answer);
  return { notifications: data.map(stripeNotificationOf), next: hasMore ? (data.at(-1)?.id ?? null) : null };
}
