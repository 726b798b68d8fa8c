import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';
import { uncalibrated, type Calibration } from '../snapshot/model-snapshot.ts';

/** Exposures that were promised about the same, as far as they have come of age. */
export interface PromisedValue {
  /** Log of the USD per exposure that was logged when they were decided. */
  readonly logValue: number;
  readonly exposures: number;
  /** USD that they brought together, at least 0. */
  readonly totalUsd: number;
}

/** Less is nothing. */
const leastUsd = 1e-6;
const rounds = 50;
const closeEnough = 1e-10;
/** The line is drawn to slope 1 as by that many exposures of average value, one unit of log away. */
const pseudoExposures = 50;

/**
 * Fits E[USD] = exp(alpha + beta·logValue) by quasi-likelihood with variance in proportion to the mean, whose
 * solution promises in all what came in all. Newton steps, halved while they make it worse.
 * @returns the identity while nothing was promised or nothing came
 */
export function calibrate(promised: readonly PromisedValue[]): Calibration {
  let exposures = 0;
  let usd = 0;
  let weighted = 0;
  for (const { logValue, exposures: count, totalUsd } of promised) {
    exposures += count;
    usd += totalUsd;
    weighted += count * logValue;
  }
  if (!(exposures > 0 && usd > leastUsd)) return uncalibrated;
  const centre = weighted / exposures;
  const ridge = (pseudoExposures * usd) / exposures;
  let line = { level: log(usd / exposures), slope: 1 };
  let cost = costOf(promised, centre, ridge, line);
  for (let round = 0; round < rounds; round++) {
    const step = newtonStep(promised, centre, ridge, line);
    let share = 1;
    let next = line;
    let nextCost = cost;
    for (; share > 1e-6; share /= 2) {
      next = { level: line.level - share * step.level, slope: line.slope - share * step.slope };
      nextCost = costOf(promised, centre, ridge, next);
      if (nextCost <= cost) break;
    }
    if (!(nextCost <= cost)) break;
    line = next;
    cost = nextCost;
    if (step.level * step.level + step.slope * step.slope < closeEnough) break;
  }
  return { alpha: line.level - line.slope * centre, beta: line.slope };
}

interface Line {
  readonly level: number;
  readonly slope: number;
}

function costOf(promised: readonly PromisedValue[], centre: number, ridge: number, { level, slope }: Line): number {
  let cost = (ridge * (slope - 1) * (slope - 1)) / 2;
  for (const { logValue, exposures, totalUsd } of promised) {
    const expected = level + slope * (logValue - centre);
    cost += exposures * exp(expected) - totalUsd * expected;
  }
  return cost;
}

function newtonStep(promised: readonly PromisedValue[], centre: number, ridge: number, { level, slope }: Line): Line {
  let [g0, g1, h00, h01, h11] = [0, ridge * (slope - 1), 0, 0, ridge];
  for (const { logValue, exposures, totalUsd } of promised) {
    const x = logValue - centre;
    const expected = exposures * exp(level + slope * x);
    g0 += expected - totalUsd;
    g1 += (expected - totalUsd) * x;
    h00 += expected;
    h01 += expected * x;
    h11 += expected * x * x;
  }
  const determinant = h00 * h11 - h01 * h01;
  return { level: (g0 * h11 - g1 * h01) / determinant, slope: (g1 * h00 - g0 * h01) / determinant };
}

/** What people are shown of an expected value. */
export const calibrated = ({ alpha, beta }: Calibration, value: number): number =>
  value > 0 ? exp(alpha + beta * log(value)) : 0;
