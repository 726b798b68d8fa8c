import { isLoad, nextLimit, priorities, refusalOf, type LoadRefusal, type Priority } from './load-limit.ts';
import type { WorkReader } from './measured-work.ts';

export interface LoadGateOptions {
  readonly maxInFlight: number;
  /** A paywall that takes longer is slow, and anything else that takes five times as long. Milliseconds. */
  readonly latencyMs: number;
  /**
   * A paywall that took as long was not answered by selection. That tells of an outage: to refuse people even Baseline
   * would mend nothing. Milliseconds.
   */
  readonly paywallDeadlineMs: number;
}

const windowMs = 250;
const fewestAnswersInWindow = 20;
const patience = 5;

const none = () => ({ all: 0, slow: 0 });

/**
 * Counts what is at work, and moves the limit by what the last window has shown. Time is handed in, in milliseconds from
 * any start. A window lasts a quarter of a second, and longer until it has seen some answers.
 */
export class LoadGate implements WorkReader {
  readonly #options: LoadGateOptions;
  #limit: number;
  #inFlight = 0;
  readonly #loads: Record<Priority, number> = {
    paywall: 0,
    purchase: 0,
    write: 0,
    notification: 0,
    bulk: 0,
    report: 0,
  };
  #load = 0;
  #begun = 0;
  #peak = 0;
  #leastLagMs: number | null = null;
  #seen = 0;
  #answered = emptyWindow();

  constructor(options: LoadGateOptions) {
    this.#options = options;
    this.#limit = options.maxInFlight;
  }

  get limit(): number {
    return this.#limit;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Why a request may not be taken on now; null if it may. */
  refusal(priority: Priority): LoadRefusal | null {
    const { maxInFlight } = this.#options;
    const ahead = this.#upTo(priority);
    return refusalOf(priority, { inFlight: this.#inFlight, ahead, limit: this.#limit, maxInFlight });
  }

  enter(priority: Priority): void {
    this.#inFlight += 1;
    if (!isLoad(priority)) return;
    this.#loads[priority] += 1;
    this.#load += 1;
    this.#peak = Math.max(this.#peak, this.#load);
  }

  leave(priority: Priority, tookMs: number | null, now: number): void {
    this.#inFlight -= 1;
    if (!isLoad(priority)) return;
    this.#loads[priority] -= 1;
    this.#load -= 1;
    if (tookMs !== null) this.#count(priority, tookMs);
    if (now - this.#begun >= windowMs && this.#seen >= fewestAnswersInWindow) this.#turn(now);
  }

  /** The event loop was late by so much. */
  lag(ms: number): void {
    this.#leastLagMs = Math.min(this.#leastLagMs ?? ms, ms);
  }

  #upTo(last: Priority): number {
    let ahead = 0;
    for (const priority of priorities) {
      ahead += this.#loads[priority];
      if (priority === last) break;
    }
    return ahead;
  }

  #count(priority: Priority, tookMs: number): void {
    const { latencyMs, paywallDeadlineMs } = this.#options;
    if (priority === 'paywall' && tookMs >= paywallDeadlineMs) return;
    const answered = this.#answered[priority];
    this.#seen += 1;
    answered.all += 1;
    if (tookMs > (priority === 'paywall' ? latencyMs : patience * latencyMs)) answered.slow += 1;
  }

  #turn(now: number): void {
    const seen = { answered: this.#answered, peak: this.#peak, leastLagMs: this.#leastLagMs };
    this.#limit = nextLimit(this.#limit, seen, this.#options.maxInFlight);
    this.#begun = now;
    this.#peak = this.#load;
    this.#leastLagMs = null;
    this.#seen = 0;
    this.#answered = emptyWindow();
  }
}

function emptyWindow(): Record<Priority, { all: number; slow: number }> {
  return {
    paywall: none(),
    purchase: none(),
    write: none(),
    notification: none(),
    bulk: none(),
    report: none(),
  };
}
