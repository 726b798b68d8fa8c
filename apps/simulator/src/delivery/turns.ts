/** Runs pieces of work, so many at once; those of one key one after the other. */
export class Turns {
  readonly #atOnce: number;
  readonly #lastOf = new Map<string, Promise<void>>();
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#lastOf.get(key);
    const mine = this.#after(before, work);
    const settled = mine.catch(() => undefined);
    this.#lastOf.set(key, settled);
    await mine.finally(() => {
      if (this.#lastOf.get(key) === settled) this.#lastOf.delete(key);
    });
  }

  async #after(before: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
    await before;
    if (this.#running >= this.#atOnce) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#running += 1;
    try {
      await work();
    } finally {
      this.#running -= 1;
      this.#queue.shift()?.();
    }
  }
}
