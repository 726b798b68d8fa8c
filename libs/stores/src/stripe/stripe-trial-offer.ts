import type { StripeItem } from './stripe-answers.ts';

/**
 * What an item's trial offer makes of a period that begins then: Stripe sells it for nothing or for less, and need not call the
 * subscription trialing. null: there is no offer then. One that does not say when it ends goes on.
 * @param startsAt in milliseconds
 */
export function offeredPhase({ current_trial: trial, price }: StripeItem, startsAt: number): 'trial' | 'intro' | null {
  const runs = trial != null && (trial.start_date ?? 0) <= startsAt && startsAt < (trial.end_date ?? Infinity);
  if (!runs) return null;
  return price.unit_amount === 0 ? 'trial' : 'intro';
}
