import { addDuration } from '@paywright/platform';
import { closed, ended, periodFrom, recovered, renewed, resumed, tell } from './life-cycle.ts';
import { closeDispute, openDispute, payPart, refund, reverseRefund } from './payments.ts';
import {
  lastPeriod,
  withPeriodAt,
  type Happening,
  type Period,
  type Purchase,
  type StoreName,
  type Terms,
} from './purchase.ts';

export const actionNames = [
  'renew',
  'cancel',
  'uncancel',
  'refund',
  'reverse-refund',
  'dispute',
  'lose-dispute',
  'win-dispute',
  'fail-billing',
  'recover-billing',
  'pay-part',
  'expire',
  'upgrade',
  'downgrade',
  'pause',
  'resume',
  'revoke',
  'price-increase',
] as const;
export type ActionName = (typeof actionNames)[number];

/** What an action may be told besides; each has its default. */
export interface ActionOptions {
  /** What upgrades, downgrades and price increases lead to; what is left out stays. */
  readonly terms: Partial<Terms>;
  /** At once, in place of the end of the period: of `cancel`, `fail-billing`, `pause`. */
  readonly now: boolean;
  /** 1 to 100. Of `refund`: of the last payment or that of `period`. Of `pay-part`: of what is owed. */
  readonly percent: number;
  readonly period: number | null;
  /** Of `pause`: ISO 8601 duration. */
  readonly duration: string;
  /** Of `price-increase`: whether the customer agrees. */
  readonly consented: boolean;
}

/** A no, with its reason. */
export interface NotNow {
  readonly refusal: string;
}

type Action = (purchase: Purchase, at: number, options: ActionOptions) => Happening | readonly Happening[] | NotNow;

/** What a store has no notion of. */
const absent: Readonly<Partial<Record<ActionName, readonly StoreName[]>>> = {
  pause: ['app-store'],
  resume: ['app-store'],
  'reverse-refund': ['play-store'],
  dispute: ['app-store', 'play-store'],
  'lose-dispute': ['app-store', 'play-store'],
  'pay-part': ['app-store', 'play-store'],
  'win-dispute': ['app-store', 'play-store'],
  revoke: ['stripe'],
};

/** What becomes of money, whatever becomes of access. */
const ofPayments: readonly ActionName[] = ['refund', 'reverse-refund', 'dispute', 'lose-dispute', 'win-dispute'];
/** What is open to a purchase that was made once. */
const forOneTime: readonly ActionName[] = [...ofPayments, 'revoke'];
/** What is open to a subscription that is over. */
const afterTheEnd: readonly ActionName[] = [...ofPayments, 'renew'];

/**
 * What the store makes of an action.
 * @returns what happened, in order; nothing where the action only bears on what comes; or why it cannot be
 */
export function act(
  purchase: Purchase,
  name: ActionName,
  at: number,
  options: ActionOptions,
): readonly Happening[] | NotNow {
  if (absent[name]?.includes(purchase.store)) return { refusal: `This store has no ${name}.` };
  if (purchase.kind === 'one-time' && !forOneTime.includes(name))
    return { refusal: `${name} is of subscriptions, and this was bought once.` };
  if (purchase.kind === 'subscription' && purchase.standing === 'ended' && !afterTheEnd.includes(name))
    return { refusal: `The subscription is over (${purchase.endReason ?? 'other'}): ${name} needs one that is not.` };
  const result = actions[name](purchase, at, options);
  if ('refusal' in result) return result;
  return 'purchase' in result ? [result] : result;
}

const actions: Readonly<Record<ActionName, Action>> = {
  renew,
  cancel,
  uncancel: (purchase, at) =>
    purchase.willRenew
      ? { refusal: 'The subscription renews already: uncancel needs one that was cancelled.' }
      : tell({ ...purchase, willRenew: true, cancelledAt: null, endReason: null }, 'uncancelled', at),
  refund,
  'reverse-refund': reverseRefund,
  dispute: openDispute,
  'lose-dispute': (purchase, at) => closeDispute(purchase, at, 'lost'),
  'win-dispute': (purchase, at) => closeDispute(purchase, at, 'won'),
  'fail-billing': (purchase, at, { now }) => {
    if (!now) return silently({ ...purchase, chargesFail: true });
    if (purchase.standing === 'running') return failNow(purchase, at);
    return { refusal: 'No payment is due: fail-billing with now needs a subscription that runs.' };
  },
  'recover-billing': recover,
  'pay-part': payPart,
  expire: (purchase, at) => ended(cutShort(purchase, at), at, 'other'),
  upgrade: (purchase, at, { terms }) => {
    const replaced = cutShort(withLast(purchase, { isUpgraded: true }), at);
    const next = periodFrom(replaced, at, { ...purchase.terms, ...terms });
    return tell({ ...next, willRenew: true, cancelledAt: null }, 'upgraded', at);
  },
  downgrade: (purchase, at, { terms }) => tell(withNextTerms(purchase, terms), 'downgraded', at),
  pause,
  resume: (purchase, at) => {
    if (purchase.standing === 'paused') return resumed(purchase, at);
    if (purchase.pausesFor !== null) return tell({ ...purchase, pausesFor: null }, 'pause-scheduled', at);
    return { refusal: 'The subscription is not paused.' };
  },
  revoke: (purchase, at) => tell(closed(purchase, at, 'revoked'), 'revoked', at),
  'price-increase': (purchase, at, { terms, consented }) =>
    tell({ ...withNextTerms(purchase, terms), awaitsConsent: !consented }, 'price-increased', at),
};

/** Nothing that the store would tell of: it shows later. */
const silently = (purchase: Purchase): Happening => ({ purchase, news: null });

function renew(purchase: Purchase, at: number): Happening {
  const { standing } = purchase;
  if (standing === 'grace' || standing === 'retry') return recovered(purchase, at);
  if (standing === 'paused') return resumed(purchase, at);
  const again = { ...purchase, willRenew: true, cancelledAt: null };
  if (standing === 'ended') return boughtAgain(periodFrom(again, at), at);
  // Early: what is left of the current period is added to the new one.
  const next = renewed(again, at);
  return tell(withPeriodAt(next, next.periods.length - 1, { startsAt: at }), 'renewed', at);
}

/** Where the store has it as the same subscription: in the App Store. */
const boughtAgain = (purchase: Purchase, at: number): Happening =>
  purchase.store === 'app-store'
    ? tell(withLast(purchase, { isBoughtAgain: true }), 'bought-again', at)
    : tell(purchase, 'renewed', at);

function cancel(purchase: Purchase, at: number, { now }: ActionOptions): Happening | readonly Happening[] | NotNow {
  if (!purchase.willRenew && !now) return { refusal: 'The subscription is cancelled already.' };
  const off = tell({ ...purchase, willRenew: false, cancelledAt: at, endReason: 'voluntary' }, 'cancelled', at);
  return now ? [silently(off.purchase), ended(cutShort(off.purchase, at), at, 'voluntary')] : off;
}

function recover(purchase: Purchase, at: number): Happening | NotNow {
  const { standing, chargesFail } = purchase;
  if (standing === 'grace' || standing === 'retry') return recovered(purchase, at);
  return chargesFail
    ? silently({ ...purchase, chargesFail: false })
    : { refusal: 'No payment has failed: recover-billing comes after fail-billing.' };
}

function failNow(purchase: Purchase, at: number): Happening {
  const due = { ...cutShort(purchase, at), chargesFail: true };
  const { grace, retry } = purchase.waits;
  if (grace === null && retry === null) return ended(due, at, 'billing');
  const standing = grace === null ? 'retry' : 'grace';
  return tell({ ...due, standing, until: addDuration(at, grace ?? retry ?? 'P0D') }, 'billing-failed', at);
}

function pause(purchase: Purchase, at: number, { now, duration }: ActionOptions): Happening | NotNow {
  if (purchase.standing !== 'running') return { refusal: 'Only a subscription that runs can be paused.' };
  if (!now && purchase.store === 'play-store') return tell({ ...purchase, pausesFor: duration }, 'pause-scheduled', at);
  const until = purchase.store === 'stripe' ? null : addDuration(at, duration);
  return tell({ ...cutShort(purchase, at), standing: 'paused', until }, 'paused', at);
}

const withNextTerms = (purchase: Purchase, terms: Partial<Terms>): Purchase => ({
  ...purchase,
  nextTerms: { ...(purchase.nextTerms ?? purchase.terms), ...terms },
});

/** The current period ends now, if it has not ended before. */
function cutShort(purchase: Purchase, at: number): Purchase {
  const { endsAt } = lastPeriod(purchase);
  return endsAt !== null && endsAt > at ? withLast(purchase, { endsAt: at }) : purchase;
}

const withLast = (purchase: Purchase, change: Partial<Period>): Purchase =>
  withPeriodAt(purchase, purchase.periods.length - 1, change);
