import { addDuration } from '@paywright/platform';
import {
  lastPeriod,
  withAddOns,
  type EndReason,
  type Happening,
  type NewsType,
  type Period,
  type Purchase,
  type Terms,
} from './purchase.ts';

/** When the store moves next of its own accord; null: never. */
export function nextDue({ kind, standing, periods, until }: Purchase): number | null {
  if (kind === 'one-time' || standing === 'ended') return null;
  return standing === 'running' ? (periods.at(-1)?.endsAt ?? null) : until;
}

/**
 * What the store does when a purchase is due: renews it, or ends it; begins or ends grace, retry or pause.
 * @param at when it is due: `nextDue`
 */
export function fallDue(purchase: Purchase, at: number): Happening {
  switch (purchase.standing) {
    case 'grace':
      return graceEnded(purchase, at);
    case 'paused':
      return resumed(purchase, at);
    case 'running':
      return periodEnded(purchase, at);
    default:
      return ended(purchase, at, 'billing');
  }
}

function periodEnded(purchase: Purchase, at: number): Happening {
  if (!purchase.willRenew) return ended(purchase, at, purchase.endReason ?? 'voluntary');
  if (purchase.pausesFor !== null) {
    const paused = {
      ...purchase,
      standing: 'paused',
      until: addDuration(at, purchase.pausesFor),
      pausesFor: null,
    } as const;
    return tell(paused, 'paused', at);
  }
  if (purchase.awaitsConsent) return ended(purchase, at, 'price-increase');
  return purchase.chargesFail ? billingFailed(purchase, at) : tell(renewed(purchase, at), 'renewed', at);
}

function billingFailed(purchase: Purchase, at: number): Happening {
  const { grace, retry } = purchase.waits;
  if (grace !== null)
    return tell({ ...purchase, standing: 'grace', until: addDuration(at, grace) }, 'billing-failed', at);
  if (retry !== null)
    return tell({ ...purchase, standing: 'retry', until: addDuration(at, retry) }, 'billing-failed', at);
  return ended(purchase, at, 'billing');
}

function graceEnded(purchase: Purchase, at: number): Happening {
  const { retry } = purchase.waits;
  if (retry === null) return ended(purchase, at, 'billing');
  return tell({ ...purchase, standing: 'retry', until: addDuration(at, retry) }, 'grace-ended', at);
}

/** The payment came at last. In grace the rhythm stays, and the period that was owed is paid late. */
export function recovered(purchase: Purchase, at: number): Happening {
  const sound = { ...purchase, chargesFail: false };
  const paid = purchase.standing === 'grace' ? renewed(sound, at) : periodFrom(sound, at);
  return tell(paid, 'recovered', at);
}

export const resumed = (purchase: Purchase, at: number): Happening => tell(periodFrom(purchase, at), 'resumed', at);

/** Over. Of a subscription that was cancelled for a reason before, that is the reason. */
export function ended(purchase: Purchase, at: number, endReason: EndReason): Happening {
  return tell(closed(purchase, at, endReason), 'ended', at);
}

export const closed = (purchase: Purchase, at: number, endReason: EndReason): Purchase => ({
  ...purchase,
  ...{ standing: 'ended', until: null, willRenew: false, endedAt: at, endReason, pausesFor: null },
});

/** With the period after the current one, which keeps the rhythm unless its length is another. */
export function renewed(purchase: Purchase, paidAt: number): Purchase {
  const { terms, nextTerms, anchor } = purchase;
  const last = lastPeriod(purchase);
  const next = nextTerms ?? terms;
  const startsAt = last.endsAt ?? paidAt;
  const keepsRhythm = last.phase === 'regular' && next.period === terms.period;
  const counted = keepsRhythm ? { at: anchor.at, periods: anchor.periods + 1 } : { at: startsAt, periods: 1 };
  return withPeriod({ ...purchase, anchor: counted }, next, startsAt, paidAt);
}

/** With a paid period that begins now, and from which later ones are counted. */
export const periodFrom = (purchase: Purchase, at: number, terms = purchase.nextTerms ?? purchase.terms): Purchase =>
  withPeriod({ ...purchase, anchor: { at, periods: 1 } }, terms, at, at);

function withPeriod(purchase: Purchase, terms: Terms, startsAt: number, paidAt: number): Purchase {
  const { anchor, periods, partPayments } = purchase;
  const period: Period = {
    ...(partPayments && { partPayments }),
    ...{ number: periods.length, terms, phase: 'regular', startsAt, paidAt, refunds: [], isUpgraded: false },
    amount: withAddOns(terms.price, terms),
    endsAt: addDuration(anchor.at, terms.period, anchor.periods),
  };
  return {
    ...purchase,
    ...{
      terms,
      nextTerms: null,
      awaitsConsent: false,
      standing: 'running',
      until: null,
      endedAt: null,
      endReason: null,
    },
    periods: [...periods, period],
    partPayments: [],
  };
}

/** The purchase with one more piece of news. */
export function tell(purchase: Purchase, type: NewsType, at: number, period = lastPeriod(purchase).number): Happening {
  const { newsCount } = purchase;
  return { purchase: { ...purchase, newsCount: newsCount + 1 }, news: { type, at, ordinal: newsCount, period } };
}
