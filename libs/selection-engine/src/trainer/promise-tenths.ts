import { calibrated, type PromisedValue } from '../value/calibrate.ts';
import { exp } from '../numbers/exp.ts';
import type { Calibration } from '../snapshot/model-snapshot.ts';

const tenths = 10;

/** Of all exposures: what has worn off to less is no tenth, and what it once brought an exposure would dwarf the others. */
const leastPart = 1 / 1_000;

/** Exposures that were promised about the same, and what came of them; the older they are, the less they count. */
export interface PromiseTenth {
  readonly exposures: number;
  /** USD an exposure, as people are shown it today. */
  readonly promisedUsd: number;
  /** USD an exposure, what renewals are thought to bring among it. */
  readonly broughtUsd: number;
}

/** About a tenth of the exposures each, by rising promise: fewer where many were promised the same. */
export function promiseTenths(promised: readonly PromisedValue[], calibration: Calibration): readonly PromiseTenth[] {
  const all = promised.reduce((sum, { exposures }) => sum + exposures, 0);
  const groups = new Map<number, { exposures: number; promised: number; brought: number }>();
  let below = 0;
  for (const { logValue, exposures, totalUsd } of promised) {
    const tenth = Math.floor((tenths * (below + exposures / 2)) / all);
    const group = groups.get(tenth) ?? { exposures: 0, promised: 0, brought: 0 };
    group.exposures += exposures;
    group.promised += exposures * calibrated(calibration, exp(logValue));
    group.brought += totalUsd;
    groups.set(tenth, group);
    below += exposures;
  }
  return [...groups.values()]
    .filter(({ exposures }) => exposures > leastPart * all)
    .map(({ exposures, promised: usd, brought }) => ({ exposures, promisedUsd: usd / exposures, broughtUsd: brought / exposures })); // prettier-ignore
}
