import type { PromisedValue } from './play.ts';
import { worldStart } from './world/calendar.ts';
import { dayMs } from './world/people.ts';

/** What a model promises counts once it had a month to learn. */
const fromDay = 30;

/** How what people were shown of served impressions agrees with what they were worth. */
export interface Calibrated {
  /** Promised over true: of all, and of tenths by what was promised, rising. */
  readonly overall: number;
  readonly deciles: readonly number[];
  /** Gini coefficient of the truth in the order of the promises, over that in its own order: 1 is a perfect order. */
  readonly gini: number;
}

export function calibrationOf(promises: readonly PromisedValue[]): Calibrated | null {
  const judged = promises.filter(({ at }) => at >= worldStart + fromDay * dayMs);
  if (judged.length < 100) return null;
  const byPromise = [...judged].sort((one, other) => one.promised - other.promised);
  const byTruth = [...judged].sort((one, other) => one.usd - other.usd);
  const deciles = Array.from({ length: 10 }, (_, tenth) =>
    ratioOf(byPromise.slice((tenth * judged.length) / 10, ((tenth + 1) * judged.length) / 10)),
  );
  return { overall: ratioOf(judged), deciles, gini: giniOf(byPromise) / giniOf(byTruth) };
}

function ratioOf(promises: readonly PromisedValue[]): number {
  let [promised, usd] = [0, 0];
  for (const one of promises) {
    promised += one.promised;
    usd += one.usd;
  }
  return promised / usd;
}

function giniOf(rising: readonly PromisedValue[]): number {
  let [weighted, total] = [0, 0];
  rising.forEach(({ usd }, index) => {
    weighted += (index + 1) * usd;
    total += usd;
  });
  return (2 * weighted) / (rising.length * total) - (rising.length + 1) / rising.length;
}
