import type { BackOff } from '@paywright/platform';

export const infrastructureBackOff: BackOff = { firstMs: 100, lastMs: 5_000 };
export const produceBackOff: BackOff = { firstMs: 100, lastMs: 1_000 };

/** Whether the work ends within the time. It goes on if not; a rejection is passed on if it comes in time. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
