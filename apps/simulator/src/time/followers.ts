import { simulatedClockPath, type Logger, type SimulatedClock } from '@paywright/platform';

/** A process that has not asked for the time for so long, by the machine's clock, is gone. */
const goneAfterMs = 5_000;
const tellTimeoutMs = 2_000;

/** The processes that follow the clock: each asks once a second, and is told of every change. */
export class Followers {
  readonly #clock: SimulatedClock;
  readonly #logger: Logger;
  /** When each asked last, by the address of its management server. */
  readonly #askedAt = new Map<string, number>();

  constructor(clock: SimulatedClock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  get count(): number {
    return this.#askedAt.size;
  }

  /** A process tells where it is. */
  register(management: string): void {
    this.#askedAt.set(management, performance.now());
  }

  /** Resolves when every process that is there has the offset that holds now. */
  async tell(): Promise<void> {
    await Promise.all([...this.#askedAt.keys()].map((management) => this.#tellOne(management)));
  }

  async #tellOne(management: string): Promise<void> {
    while (!(await this.#isTold(management))) {
      // One that has ended refuses; one that is busy is told again. Either way its heartbeat says which it is.
      if (performance.now() - (this.#askedAt.get(management) ?? 0) > goneAfterMs) {
        this.#askedAt.delete(management);
        this.#logger.warn({ management }, 'A process that followed the clock is gone');
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #isTold(management: string): Promise<boolean> {
    try {
      const { ok, body } = await fetch(`${management}${simulatedClockPath}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ offset: this.#clock.offset }),
        signal: AbortSignal.timeout(tellTimeoutMs),
      });
      await body?.cancel();
      return ok;
    } catch {
      return false;
    }
  }
}
