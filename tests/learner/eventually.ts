import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 90_000;

/** What is found, once it is. @throws Error with what is missing, after 90 s */
export async function eventually<Found>(what: string, find: () => Promise<Found | null>): Promise<Found> {
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(300)) {
    const found = await find();
    if (found !== null) return found;
  }
  throw new Error(`It did not come about that ${what}.`);
}
