import type { Logger } from './logger.ts';
import { untilAnswered, type Patience } from './until-answered.ts';

/** Between two lines of what goes on. */
const remindMs = 30_000;

/** What is said while something fails, and once it no longer does. */
export interface OutageWords {
  readonly lasts: string;
  readonly isOver: string;
}

/**
 * Tells of what fails again and again: at WARN when it begins and each half minute while it lasts, once at INFO when it is
 * over. Who tries several times a second does not fill the log.
 */
export class Outage {
  readonly #logger: Logger;
  readonly #words: OutageWords;
  readonly #steadyNow: () => number;
  #beganAt: number | null = null;
  #saidAt = -Infinity;

  constructor(logger: Logger, words: OutageWords, steadyNow = () => performance.now()) {
    this.#logger = logger;
    this.#words = words;
    this.#steadyNow = steadyNow;
  }

  /** @param fields of the line, if it is time for one */
  failed(fields: object): void {
    const now = this.#steadyNow();
    this.#beganAt ??= now;
    if (now - this.#saidAt < remindMs) return;
    this.#saidAt = now;
    this.#logger.warn({ ...fields, seconds: this.#secondsAt(now) }, this.#words.lasts);
  }

  /** Says so if it had failed. */
  passed(fields: object = {}): void {
    if (this.#beganAt === null) return;
    this.#logger.info({ ...fields, seconds: this.#secondsAt(this.#steadyNow()) }, this.#words.isOver);
    this.#beganAt = null;
    this.#saidAt = -Infinity;
  }

  /** As the function of this name: each error that is waited out is a failure, and the answer is the end of it. */
  async untilAnswered<T>(ask: () => Promise<T>, patience: Omit<Patience, 'onFailure'>): Promise<T> {
    const answer = await untilAnswered(ask, { ...patience, onFailure: (error) => this.failed({ error }) });
    this.passed();
    return answer;
  }

  #secondsAt(now: number): number {
    return Math.round((now - (this.#beganAt ?? now)) / 1_000);
  }
}
