import { sleep } from '@paywright/platform';

/** Rests behind fetches that brought all there was: one for all partitions of a fetch. */
export class FetchRests {
  readonly #restMs: (topic: string) => number;
  readonly #until: AbortSignal;
  #resting: Promise<void> | null = null;
  #shortestMs = Infinity;

  /** @param restMs of several topics of a fetch the shortest counts. @param until ends every rest */
  constructor(restMs: (topic: string) => number, until: AbortSignal) {
    this.#restMs = restMs;
    this.#until = until;
  }

  /** Resolves when the rest behind the fetch in hand ends, of which this topic is a part. */
  behind(topic: string): Promise<void> {
    this.#shortestMs = Math.min(this.#shortestMs, this.#restMs(topic));
    this.#resting ??= this.#rest().finally(() => (this.#resting = null));
    return this.#resting;
  }

  async #rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)); // until the fetch's other partitions were handed over
    const ms = this.#shortestMs;
    this.#shortestMs = Infinity;
    await sleep(ms, this.#until);
  }
}
