import type { StripePhase, StripeSubscription } from './stripe-answers.ts';

/** In milliseconds. */
interface Period {
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * What the schedule makes of the subscription by the end of its period: another phase, or its end. null: it goes on as
 * it is. `unread`: there is a schedule, and it could not be read.
 */
export function scheduledNext(
  { schedule }: StripeSubscription,
  { startsAt, endsAt }: Period,
): StripePhase | 'end' | 'unread' | null {
  if (schedule === null || schedule === 'unread') return schedule;
  const { phases, end_behavior: atEnd } = schedule;
  const next = phases.find((phase) => phase.start_date <= endsAt && endsAt < phase.end_date);
  if (next) return next.start_date > startsAt ? next : null;
  return atEnd === 'cancel' && phases.every((phase) => phase.end_date <= endsAt) ? 'end' : null;
}
