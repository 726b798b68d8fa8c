/**
 * What is refused last, first: a paywall, which a user waits for; a purchase, which waits for its store; what else
 * changes something; what a store tells, which it tells again; events in bulk, which their sender can keep; what only
 * looks.
 */
export const priorities = ['paywall', 'purchase', 'write', 'notification', 'bulk', 'report'] as const;
export type Priority = (typeof priorities)[number];

/** Why a request is not taken on: all places are taken, or more come than can be borne at present. */
export type LoadRefusal = 'in-flight' | 'load';

/** The part of the limit up to which each may fill it, with those before it: what is left above is kept for those. */
const shares: Readonly<Record<Priority, number>> = {
  paywall: 1,
  purchase: 0.9,
  write: 0.9,
  notification: 0.9,
  bulk: 0.75,
  report: 0.5,
};

/**
 * The same of all places. Notifications stand in a line for seconds, and anybody may post some: their line leaves the others
 * their places.
 */
const placeShares: typeof shares = { ...shares, notification: 0.4 };

/** A request that waits, for a store or for its turn, is no load: it takes a place, but does not count against the limit. */
export const isLoad = (priority: Priority): boolean => priority !== 'purchase' && priority !== 'notification';

/** What only looks may stand in a line of its own, behind other reports, while all else is well: its time tells of nothing. */
const tellsOfOverload = (priority: Priority): boolean => priority !== 'report';

/** Requests at work. */
export interface Load {
  readonly inFlight: number;
  /** Of them, the load of the same priority and of those before it: nobody is refused for what would be refused first. */
  readonly ahead: number;
  readonly limit: number;
  readonly maxInFlight: number;
}

/** Why a request may not be taken on now; null if it may. */
export function refusalOf(priority: Priority, { inFlight, ahead, limit, maxInFlight }: Load): LoadRefusal | null {
  if (inFlight >= maxInFlight * placeShares[priority]) return 'in-flight';
  return ahead >= limit * shares[priority] ? 'load' : null;
}

/** Answers of one priority in a window, and how many of them took longer than they should. */
export interface Answered {
  readonly all: number;
  readonly slow: number;
}

/** What a window of time has shown. */
export interface Seen {
  readonly answered: Readonly<Record<Priority, Answered>>;
  /** The most load at a time. */
  readonly peak: number;
  /** How late the event loop was at the least, in milliseconds; null if it was not looked at. */
  readonly leastLagMs: number | null;
}

const fewestAnswers = 10;
const longestLagMs = 50;
const cut = 0.7;
const growth = 1.05;
/** As many are always taken on: a client with a hundred requests at a time is no overload, however slow a first minute is. */
export const leastLimit = 128;

/**
 * How much load may be taken on in the next window.
 *
 * Overloaded is a window in which more stood in line than a line that comes and goes: half of the answers of a priority
 * were slow, or the event loop was late every time that it was looked at. A single slow answer, a collection of garbage
 * or a burst does neither. This is CoDel's rule, a standing queue and not a full one (Nichols and Jacobson, Controlling
 * Queue Delay, ACM Queue 2012), over windows as in WeChat's DAGOR (Zhou et al., Overload Control for Scaling WeChat
 * Microservices, SoCC 2018). The limit then falls to seven tenths of what was there; else it rises by a twentieth. A
 * fall costs no throughput while what is allowed to wait is longer than the work takes, which a target of ten times
 * that makes sure of.
 */
export function nextLimit(limit: number, seen: Seen, maxInFlight: number): number {
  const next = isOverloaded(seen) ? Math.floor(cut * Math.min(limit, seen.peak)) : Math.ceil(growth * limit);
  return Math.min(maxInFlight, Math.max(leastLimit, next));
}

const isOverloaded = ({ answered, leastLagMs }: Seen): boolean =>
  (leastLagMs !== null && leastLagMs > longestLagMs) ||
  priorities
    .filter(tellsOfOverload)
    .some(
      (priority) => answered[priority].all >= fewestAnswers && 2 * answered[priority].slow > answered[priority].all,
    );
