import type { Clock } from '@paywright/platform';

/** Apple takes a bearer for five minutes: one is used for four. */
const usedForMs = 4 * 60_000;

/** The bearer of one key: to sign one for every call costs more than the call. */
export class KeptBearer {
  readonly #clock: Clock;
  #kept: { readonly token: string; readonly until: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param sign makes a new one, stamped with the machine's time */
  token(sign: () => string): string {
    const now = this.#clock.machineNow();
    if (this.#kept === null || now >= this.#kept.until || now < this.#kept.until - usedForMs)
      this.#kept = { token: sign(), until: now + usedForMs };
    return this.#kept.token;
  }
}
