import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks every 200 ms, until nothing is left.
 * @param complaint of what is left, by its names
 * @throws Error with it, after `withinMs`
 */
export async function untilNone(
  withinMs: number,
  find: () => Promise<readonly string[]>,
  complaint: (left: string) => string,
): Promise<void> {
  for (const end = performance.now() + withinMs; ; await sleep(200)) {
    const left = await find();
    if (left.length === 0) return;
    if (performance.now() > end) throw new Error(complaint(left.join(', ')));
  }
}
