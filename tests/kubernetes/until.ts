import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the answer is as it should be, or the time is over.
 * @returns the last answer, and after how many seconds it came
 */
export async function until<Value>(
  ask: () => Promise<Value>,
  isIt: (value: Value) => boolean,
  { seconds, ending }: { readonly seconds: number; readonly ending: AbortSignal },
): Promise<{ readonly value: Value; readonly after: number; readonly came: boolean }> {
  const began = performance.now();
  for (;;) {
    ending.throwIfAborted();
    const value = await ask();
    const after = Math.round((performance.now() - began) / 1000);
    if (isIt(value) || after > seconds) return { value, after, came: isIt(value) };
    await sleep(500, undefined, { signal: ending });
  }
}
