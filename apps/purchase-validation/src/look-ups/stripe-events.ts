import type { Clock } from '@paywright/platform';
import { chainIdOf } from '@paywright/purchases';
import type { StripeNotification, StripeStore } from '@paywright/stores';
import type { HeardEvents } from './heard-events.ts';
import type { LookUpBook } from './look-up-book.ts';
import { pagesOf } from './pages-of.ts';

export interface StripeEventsOptions {
  readonly heard: Pick<HeardEvents, 'unheard' | 'note'>;
  readonly lookUps: Pick<LookUpBook, 'lookNow'>;
  readonly clock: Clock;
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Asks Stripe, in the app's turn. */
type Ask = <T>(question: (signal: AbortSignal) => Promise<T>) => Promise<T>;

interface StripeReading {
  readonly appId: number;
  readonly store: StripeStore;
  readonly ask: Ask;
  /** Aborted: no step more. */
  readonly stopping: AbortSignal;
}

const minuteMs = 60_000;
/** A webhook that is on its way is not taken for lost: what is newer than that is read with the next turn. */
const onItsWayMs = 5 * minuteMs;
/** Of a month that was not read the oldest hours come first, since Stripe tells the newest first. */
const firstStepMs = 6 * 60 * minuteMs;
const leastStepMs = minuteMs;
/** A thousand events; where there are more, the step is halved. */
const pagesAStep = 10;
const stepsATurn = 20;

/** Of each object the newest event, as all of them only say that it changed. @param events newest first */
export function newestOfEach(events: readonly StripeNotification[]): readonly StripeNotification[] {
  const bySubject = new Map<string, StripeNotification>();
  for (const event of events) {
    const name = event.subject && `${event.subject.kind} ${event.subject.id}`;
    if (name !== null && !bySubject.has(name)) bySubject.set(name, event);
  }
  return [...bySubject.values()];
}

/** Reads Stripe's events: an object that one tells of which no webhook told of is looked up. */
export class StripeEvents {
  readonly #options: StripeEventsOptions;

  constructor(options: StripeEventsOptions) {
    this.#options = options;
  }

  /**
   * Reads on, step by step, and no more than a turn may take.
   * @param reached told behind each step how far all is seen to
   * @returns whether there is more to read
   * @throws StoreFault; what was reached stays
   */
  async read(
    { appId, store, ask, stopping }: StripeReading,
    { from, to }: Period,
    reached: (until: number) => Promise<void>,
  ): Promise<boolean> {
    const until = to - onItsWayMs;
    let start = from;
    for (let step = firstStepMs, steps = 0; start < until && steps < stepsATurn && !stopping.aborted; steps++) {
      const end = Math.min(start + step, until);
      const most = step > leastStepMs ? pagesAStep : Infinity;
      const events = await between({ store, ask }, { from: start, to: end }, most);
      if (events === null) {
        step /= 2;
        continue;
      }
      await this.#seeTo(appId, events.all);
      await reached(end);
      start = end;
      if (events.pages === 1) step *= 2;
    }
    return start < until;
  }

  async #seeTo(appId: number, events: readonly StripeNotification[]): Promise<void> {
    const unheard = await this.#options.heard.unheard(appId, newestOfEach(events));
    await Promise.all(unheard.map((event) => this.#lookAt(appId, event)));
  }

  async #lookAt(appId: number, { notificationId, subject }: StripeNotification): Promise<void> {
    if (subject === null) return;
    const { heard, lookUps, clock } = this.#options;
    const chainId = chainIdOf(appId, 'stripe', subject.id);
    await lookUps.lookNow({ appId, chainId, subject: { store: 'stripe', subject } }, clock.now());
    await heard.note(appId, notificationId);
  }
}

/** @returns null if there are more than so many pages */
async function between(
  { store, ask }: Pick<StripeReading, 'store' | 'ask'>,
  period: Period,
  mostPages: number,
): Promise<{ readonly all: readonly StripeNotification[]; readonly pages: number } | null> {
  const all: StripeNotification[] = [];
  let pages = 0;
  const read = pagesOf((after) => ask((signal) => store.eventHistory({ ...period, after }, signal)));
  for await (const { notifications, next } of read) {
    all.push(...notifications);
    pages++;
    if (pages === mostPages && next !== null) return null;
  }
  return { all, pages };
}
