import { setTimeout as delay } from 'node:timers/promises';

/** Waits until it is so. @throws Error after 20 s */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Not so within ${withinMs} ms: ${isSo.toString()}`);
    await delay(10);
  }
}

/** A promise to be resolved from outside: a handler waits at it until the test lets it go. */
export class Gate {
  readonly #gate = Promise.withResolvers<void>();
  readonly passed = this.#gate.promise;

  open(): void {
    this.#gate.resolve();
  }
}
