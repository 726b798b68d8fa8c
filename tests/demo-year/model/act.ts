import { decimal, isEqual, negated, textOf, zero } from './decimal.ts';
import type { Instant } from './instant.ts';
import {
  chargesOf,
  livedUntil,
  nextPeriod,
  periodFrom,
  refunded,
  restOf,
  withMovement,
  type Life,
  type Terms,
} from './life.ts';

export const actions = [
  'renew',
  'cancel',
  'uncancel',
  'fail-billing',
  'recover-billing',
  'refund',
  'reverse-refund',
  'dispute',
  'lose-dispute',
  'win-dispute',
  'expire',
  'upgrade',
  'downgrade',
  'pause',
  'resume',
  'revoke',
  'price-increase',
  'price-increase-unanswered',
] as const;
export type Action = (typeof actions)[number];

type Effect = (life: Life, at: Instant, terms: Terms) => Life;

const cutShort = (life: Life, reason: Life['reason']): Life => ({
  ...life,
  ...{ standing: 'ended', until: null, isCutShort: true, willRenew: false, reason },
});

/** In the grace period the rhythm stays: the period that was owed is paid late. Later a new one begins. */
function recovered(life: Life, at: Instant): Life {
  const sound = { ...life, chargesFail: false };
  if (life.standing === 'grace') return paidLate(sound, at);
  return life.standing === 'retry' ? periodFrom(sound, at) : sound;
}

function paidLate(life: Life, at: Instant): Life {
  const next = nextPeriod(life);
  return { ...next, movements: next.movements.with(-1, { ...next.movements.at(-1)!, at }) };
}

/** The last payment goes back; of the current period, access goes with it, save at a payment processor. */
function refund(life: Life, at: Instant): Life {
  const last = chargesOf(life).length - 1;
  if (last < 0 || isEqual(restOf(life, last), zero)) return life;
  const without = refunded(life, last, at);
  return life.standing === 'ended' || life.store === 'stripe' ? without : cutShort(without, 'refund');
}

function reverseRefund(life: Life, at: Instant): Life {
  const taken = life.movements.findLast(({ type }) => type === 'refund');
  if (!taken || !isEqual(restOf(life, taken.charge), zero)) return life;
  const amount = textOf(negated(decimal(taken.amount)));
  const whole = withMovement(life, { type: 'refund_reversed', amount, charge: taken.charge, at });
  const isCurrent = at.latest < life.end.earliest;
  return isCurrent ? { ...whole, standing: 'running', isCutShort: false, reason: 'voluntarily_cancelled' } : whole;
}

/** Nothing is decided yet. */
const dispute = (life: Life): Life => ({ ...life, disputed: life.disputed ?? chargesOf(life).length - 1 });

/** The bank takes the payment back, and no access with it. */
function loseDispute({ disputed, ...life }: Life, at: Instant): Life {
  const decided: Life = { ...life, disputed: null };
  if (disputed === null || disputed < 0 || isEqual(restOf(decided, disputed), zero)) return decided;
  return refunded(decided, disputed, at);
}

/** Bought again in the App Store, where that is the same subscription. */
function boughtAgain(life: Life, at: Instant): Life {
  if (life.standing !== 'ended') return life;
  return periodFrom({ ...life, willRenew: true, pausesNext: false, awaitsConsent: false }, at);
}

const effects: Readonly<Record<Action, Effect>> = {
  renew: boughtAgain,
  cancel: (life) => ({ ...life, willRenew: false, reason: 'voluntarily_cancelled' }),
  uncancel: (life) => ({ ...life, willRenew: true, reason: null }),
  'fail-billing': (life) => ({ ...life, chargesFail: true }),
  'recover-billing': recovered,
  refund,
  'reverse-refund': reverseRefund,
  dispute,
  'lose-dispute': loseDispute,
  'win-dispute': (life) => ({ ...life, disputed: null }),
  expire: (life) => cutShort(life, 'unknown'),
  upgrade: (life, at, terms) => periodFrom({ ...life, nextTerms: terms }, at),
  downgrade: (life, _, terms) => ({ ...life, nextTerms: terms }),
  pause: (life) => ({ ...life, pausesNext: true }),
  resume: (life, at) => (life.standing === 'paused' ? periodFrom({ ...life, pausesNext: false }, at) : life),
  revoke: (life) => cutShort(life, 'unknown'),
  'price-increase': (life, _, terms) => ({ ...life, nextTerms: terms }),
  'price-increase-unanswered': (life, _, terms) => ({ ...life, nextTerms: terms, awaitsConsent: true }),
};

/**
 * What the store makes of an action at that moment, after everything that fell due before it.
 * @param terms what upgrades, downgrades and price increases lead to; of no meaning to others
 */
export function acted(life: Life, action: Action, at: Instant, terms: Terms = life.terms): Life {
  return effects[action](livedUntil(life, at.earliest), at, terms);
}
