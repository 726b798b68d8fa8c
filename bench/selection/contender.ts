import type { LearningRecord } from '@paywright/selection-engine';

/** Whoever chooses: sees contexts and what came of its own choices, never the world. */
export interface Contender {
  readonly name: string;
  /** Takes what happened up to `now`, in order of arrival. */
  learn(records: readonly LearningRecord[], now: number): void | Promise<void>;
  /** Makes itself ready to choose for impressions `from` to `to`, of the hours that follow. */
  prepare(from: number, to: number): void | Promise<void>;
  /** What it takes of the traffic that is the AI's, at a time; the rest sees the baseline. All of it where there is no such method. */
  share?(at: number): number;
  /** For an impression of the prepared ones. Each array has as many numbers as there are variants by then. */
  choose(impression: number): Choice;
}

export interface Choice {
  readonly probabilities: Float64Array;
  /** Log of the USD that it expects of each, as it logs it; null if it expects nothing. */
  readonly logValues: Float64Array | null;
  /** USD that people would be shown of each; null if there is no such number. */
  readonly promised: Float64Array | null;
}

/** Impressions that a contender is prepared for at once, in hours: as often as a model is refreshed. */
export const refreshHours = 3;
