import { calibrationOf, type Calibrated } from './calibration.ts';
import { banditContender } from './contenders/bandit.ts';
import { engineContender, type EngineOptions } from './contenders/engine.ts';
import { vowpalContender, vowpalGrid } from './contenders/vowpal.ts';
import type { VowpalProcess } from './peers/vowpal-process.ts';
import { play, type Played } from './play.ts';
import { bestFixed, referencesOf, sum, type References } from './references.ts';
import { days } from './world/calendar.ts';
import type { Scenario } from './world/scenarios.ts';
import { makeWorld } from './world/world.ts';

const tailFrom = days * 0.75;
/** From that day on Baseline and AI are compared day by day. */
const settledDay = 3;

/** How one contender did in one world, as shares of what others would have earned of the same impressions. */
export interface Score {
  readonly name: string;
  /** Of the best fixed variant in hindsight, of the oracle; and of the last quarter's best fixed variant. */
  readonly ofBest: number;
  readonly ofOracle: number;
  readonly tail: number;
  /** The least share of what Baseline had earned by the end of any day after the third. */
  readonly leastOfBaseline: number;
  /** Mean chance of the variant that was launched. */
  readonly newest: number | null;
  readonly calibration: Calibrated | null;
  readonly seconds: number;
}

/** One world: the same users and fates for all. */
export interface Measured {
  readonly scenario: string;
  readonly seed: string;
  readonly impressions: number;
  /** Starts an impression, all variants alike. */
  readonly conversion: number;
  readonly scores: readonly Score[];
}

export async function measure(
  scenario: Scenario,
  seed: string,
  size: number,
  vowpal: VowpalProcess | null,
  variations: readonly EngineOptions[] = [],
): Promise<Measured> {
  const world = makeWorld(scenario, seed, size);
  const references = referencesOf(world);
  const contenders = [
    engineContender(world),
    ...variations.map((options) => engineContender(world, options)),
    banditContender(world),
    ...(vowpal === null ? [] : vowpalGrid.map((options) => vowpalContender(world, vowpal, options))),
  ];
  const scores = [
    scoreOf(references, { ...nobody, name: 'uniform', usd: references.uniform }),
    scoreOf(references, { ...nobody, name: 'oracle', usd: references.oracle }),
  ];
  for (const contender of contenders) scores.push(scoreOf(references, await play(world, contender)));
  const conversion = sum(world.rates) / world.rates.length;
  return { scenario: scenario.name, seed, impressions: world.impressions, conversion, scores };
}

const nobody = { newest: { share: 0, impressions: 0 }, promises: [], seconds: 0 };

function scoreOf(references: References, { name, usd, newest, promises, seconds }: Played): Score {
  return {
    name,
    ofBest: sum(usd) / bestFixed(references),
    ofOracle: sum(usd) / sum(references.oracle),
    tail: sum(usd, tailFrom) / bestFixed(references, tailFrom),
    leastOfBaseline: leastShare(usd, references.baseline),
    newest: newest.impressions > 0 ? newest.share / newest.impressions : null,
    calibration: promises.length > 0 ? calibrationOf(promises) : null,
    seconds,
  };
}

function leastShare(usd: Float64Array, baseline: Float64Array): number {
  let [earned, baselines, least] = [0, 0, Infinity];
  for (let day = 0; day < usd.length; day++) {
    earned += usd[day]!;
    baselines += baseline[day]!;
    if (day >= settledDay && earned / baselines < least) least = earned / baselines;
  }
  return least;
}
