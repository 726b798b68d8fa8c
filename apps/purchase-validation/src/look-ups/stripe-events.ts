import type { Clock } from '@paywright/platform';
import { chainIdOf } from '@paywright/purchases';
import type { StripeNotification, StripeStore } from '@paywright/stores';
import type { HeardEvents } from './heard-events.ts';
import type { LookUpBook } from './look-up-book.ts';
import { type Period, stepByStep, type StepLength } from './step-by-step.ts';

export interface StripeEventsOptions {
  readonly heard: Pick<HeardEvents, 'unheard' | 'note'>;
  readonly lookUps: Pick<LookUpBook, 'lookNow'>;
  readonly clock: Clock;
}

/** Asks Stripe, in the app's turn. */
type Ask = <T>(question: (signal: AbortSignal) => Promise<T>) => Promise<T>;

interface StripeReading {
  readonly appId: number;
  readonly store: StripeStore;
  readonly ask: Ask;
  readonly stepLength: StepLength;
  /** Aborted: no step more. */
  readonly stopping: AbortSignal;
}

const minuteMs = 60_000;
/** A webhook that is on its way is not taken for lost: what is newer than that is read with the next turn. */
const onItsWayMs = 5 * minuteMs;
/** A thousand events. */
const pagesAStep = 10;

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
    { appId, store, ask, stepLength, stopping }: StripeReading,
    { from, to }: Period,
    reached: (until: number) => Promise<void>,
  ): Promise<boolean> {
    return stepByStep(
      { from, to: to - onItsWayMs },
      {
        ...{ stepLength, pagesAStep, stopping, reached },
        read: (wanted) => ask((signal) => store.eventHistory(wanted, signal)),
        seeTo: (events) => this.#seeTo(appId, events),
      },
    );
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
