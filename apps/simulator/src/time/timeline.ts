import type { Logger, SimulatedClock } from '@paywright/platform';
import type { Delivery } from '../delivery/delivery.ts';
import type { Notification } from '../delivery/notification.ts';
import { fallDue, nextDue } from '../domain/life-cycle.ts';
import type { Happening, Purchase } from '../domain/purchase.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import type { Followers } from './followers.ts';

/** What falls due within six hours is told together; each part is still done at its own time and in its order. */
const stepMs = 6 * 3_600_000;
const tickMs = 500;
/** Where the time stands anyway, it need not stand for long. */
const atOnceMs = 2_000;

export interface TimelineOptions {
  readonly state: SimulatorState;
  readonly clock: SimulatedClock;
  readonly followers: Followers;
  readonly delivery: Delivery;
  readonly logger: Logger;
  /** What the store tells of a happening. */
  readonly write: (happening: Happening) => readonly Notification[];
}

/** Lets the purchases live: what falls due happens in the order of time, over all stores. */
export class Timeline {
  readonly #options: TimelineOptions;
  /** One walk at a time. */
  #walk: Promise<void> = Promise.resolve();
  #ticking: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: TimelineOptions) {
    this.#options = options;
  }

  /** From now on what falls due by the mere passing of time happens too. */
  start(): void {
    const { clock, logger } = this.#options;
    const tick = async () => {
      await this.#enqueue(() => this.#liveUntil(clock.now())).catch((error: unknown) =>
        logger.error({ error }, 'What fell due could not be done; it is tried again'),
      );
      if (this.#ticking !== undefined) this.#ticking = setTimeout(() => void tick(), tickMs);
    };
    this.#ticking = setTimeout(() => void tick(), tickMs);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#ticking);
    this.#ticking = undefined;
    this.#isStopped = true;
    this.#options.delivery.stop();
    await this.#walk.catch(() => undefined);
  }

  /** Moves the clocks of all on. Resolves when what falls due on the way has happened and was told. */
  advance(byMs: number): Promise<void> {
    return this.#enqueue(async () => {
      const { clock } = this.#options;
      const offset = clock.offset + byMs;
      await this.#liveUntil(clock.now() + byMs);
      await this.#moveTo(offset);
      await this.#liveUntil(clock.now());
    });
  }

  /** Keeps what happened just now, and tells of it. Resolves when it was told once. */
  async happen(happenings: readonly Happening[]): Promise<void> {
    await this.#options.delivery.deliver(this.#keep(happenings), atOnceMs);
  }

  #enqueue(walk: () => Promise<void>): Promise<void> {
    this.#walk = this.#walk.catch(() => undefined).then(walk);
    return this.#walk;
  }

  async #liveUntil(target: number): Promise<void> {
    while (!this.#isStopped) {
      const step = this.#nextStep(target);
      if (step === null) return;
      // What has happened is there before anybody's clock is past it: a store never tells of yesterday as of today.
      const told = this.#keep(step.happenings);
      await this.#moveTo(step.until - this.#options.clock.machineNow());
      const again = step.again.flatMap(({ id }) => this.#options.state.waiting.get(id) ?? []);
      await this.#options.delivery.deliver([...again, ...told]);
    }
  }

  /** What happens next, and all that follows within a step and does not follow from it. */
  #nextStep(target: number) {
    const { purchases, waiting } = this.#options.state;
    const due = [...purchases.values()].flatMap((purchase) => dueBy(purchase, target));
    const again = [...waiting.values()].flatMap(({ id, dueAt }) =>
      dueAt !== null && dueAt <= target ? [{ id, at: dueAt }] : [],
    );
    if (due.length + again.length === 0) return null;
    const first = [...due, ...again].reduce((earliest, { at }) => Math.min(earliest, at), Infinity);
    let end = Math.min(first + stepMs, target);
    const happenings: Happening[] = [];
    let until = first;
    for (const { purchase, at } of due.sort(inTime)) {
      if (at > end) break;
      const happening = fallDue(purchase, at);
      happenings.push(happening);
      until = Math.max(until, at);
      // What becomes of it within the step is for the next step, and so is all that comes later than that.
      end = Math.min(end, (nextDue(happening.purchase) ?? Infinity) - 1);
    }
    const late = again.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
    return { happenings, again: late, until: Math.max(until, ...late.map(({ at }) => at)) };
  }

  #keep(happenings: readonly Happening[]): readonly Notification[] {
    const notifications = happenings.flatMap((happening) => this.#options.write(happening));
    this.#options.state.put({ purchases: happenings.map(({ purchase }) => purchase), notifications });
    return notifications;
  }

  async #moveTo(offset: number): Promise<void> {
    const { clock, followers, state } = this.#options;
    if (offset <= clock.offset) return;
    clock.moveTo(offset);
    state.set({ offset: clock.offset });
    await followers.tell();
  }
}

function dueBy(purchase: Purchase, target: number): { purchase: Purchase; at: number }[] {
  const at = nextDue(purchase);
  return at === null || at > target ? [] : [{ purchase, at }];
}

const inTime = (a: { at: number; purchase: Purchase }, b: { at: number; purchase: Purchase }) =>
  a.at - b.at || (a.purchase.id < b.purchase.id ? -1 : 1);
