import type { Weighing } from '@paywright/contracts';
import { calibrated } from '@paywright/selection-engine';

/** How a model spread its choices, by the chances that its decisions have on record: whichever was drawn then. */
export interface Exploration {
  /** Those with two candidates or more: the figures below are means of them, null if there are none. */
  readonly decisions: number;
  /** Decisions left out, as there was nothing to choose from. */
  readonly withoutChoice: number;
  readonly candidates: number | null;
  /** exp(-Σ p·ln p): so many candidates, all alike, would be as uncertain. */
  readonly effectiveCandidates: number | null;
  /** n·min p: the part of the draws that goes to all n candidates evenly, whatever is expected of them. */
  readonly evenShare: number | null;
  /** Of those decisions that expected something, since the model had learned; null if there are none. */
  readonly expected: ExpectedOfChoice | null;
}

/** USD a showing within the model's horizon, drawn to what came of earlier promises. */
export interface ExpectedOfChoice {
  readonly decisions: number;
  /** Of the candidate of which most was expected. */
  readonly bestUsd: number;
  /** Σ p·value: of what is drawn. */
  readonly drawnUsd: number;
  /** How often the draw falls on the best. */
  readonly bestShare: number;
}

/** Sums over decisions, one at a time: there may be thousands. */
export class ExplorationSums {
  readonly #all = { decisions: 0, withoutChoice: 0, candidates: 0, effectiveCandidates: 0, evenShare: 0 };
  readonly #expected = { decisions: 0, bestUsd: 0, drawnUsd: 0, bestShare: 0 };

  add({ candidates, calibration }: Pick<Weighing, 'candidates' | 'calibration'>): void {
    if (candidates.length < 2) {
      this.#all.withoutChoice += 1;
      return;
    }
    const chances = candidates.map(({ probability }) => probability);
    this.#all.decisions += 1;
    this.#all.candidates += candidates.length;
    this.#all.effectiveCandidates += Math.exp(entropyOf(chances));
    this.#all.evenShare += candidates.length * Math.min(...chances);
    if (calibration === undefined) return;
    const values = candidates.map(({ value }) => calibrated(calibration, value ?? 0));
    const bestUsd = Math.max(...values);
    this.#expected.decisions += 1;
    this.#expected.bestUsd += bestUsd;
    this.#expected.drawnUsd += values.reduce((sum, value, place) => sum + value * chances[place]!, 0);
    this.#expected.bestShare += chances[values.indexOf(bestUsd)]!;
  }

  means(): Exploration {
    const { decisions, withoutChoice, candidates, effectiveCandidates, evenShare } = this.#all;
    const { decisions: expecting, bestUsd, drawnUsd, bestShare } = this.#expected;
    return {
      ...{ decisions, withoutChoice, candidates: mean(candidates, decisions) },
      ...{ effectiveCandidates: mean(effectiveCandidates, decisions), evenShare: mean(evenShare, decisions) },
      expected:
        expecting === 0
          ? null
          : {
              ...{ decisions: expecting, bestUsd: bestUsd / expecting, drawnUsd: drawnUsd / expecting },
              bestShare: bestShare / expecting,
            },
    };
  }
}

const mean = (sum: number, count: number): number | null => (count === 0 ? null : sum / count);

const entropyOf = (chances: readonly number[]): number =>
  chances.reduce((sum, chance) => (chance > 0 ? sum - chance * Math.log(chance) : sum), 0);
