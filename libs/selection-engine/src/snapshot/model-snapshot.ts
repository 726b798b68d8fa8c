import type { AdditiveModel } from '../learning/additive-model.ts';
import type { Block } from '../learning/block.ts';

/** What serving needs of a block: two numbers a weight, row after row, and the prior variance of every group. */
export interface BlockSnapshot {
  readonly rows: number;
  readonly tau: readonly number[];
  readonly mean: Float32Array;
  readonly variance: Float32Array;
}

export interface WeightsSnapshot {
  readonly base: number;
  readonly shared: BlockSnapshot;
  readonly arms: BlockSnapshot;
  readonly tokens: BlockSnapshot;
}

/** E[USD per exposure] = exp(alpha + beta·log qhat): what is shown to people, ranks as qhat does. */
export interface Calibration {
  readonly alpha: number;
  readonly beta: number;
}

export const uncalibrated: Calibration = { alpha: 0, beta: 1 };

/** A model as it is served: all that a decision depends on, besides context, candidates and seed. */
export interface ModelSnapshot {
  /** Version of the bytes and of what its numbers mean. How it is chosen by is another: `choiceVersion`. */
  readonly engine: string;
  /** The last tick that it includes. No offset: a log with repeated records must give the same bytes. */
  readonly learnedUntil: number;
  readonly catalogRevision: number;
  readonly horizonDays: number;
  /** That it has learned from. */
  readonly exposures: number;
  readonly fields: readonly string[];
  /** Field and value of every index from 1. */
  readonly entries: readonly (readonly [field: number, value: string])[];
  readonly tokens: readonly string[];
  /** By row: the paywall's id in the catalog, and its tokens as rows of `tokens`. Of a paywall the last row counts. */
  readonly arms: readonly { readonly paywall: string; readonly design: readonly number[] }[];
  readonly starts: WeightsSnapshot;
  readonly values: WeightsSnapshot;
  readonly calibration: Calibration;
}

export const engineVersion = 'learned-1';

/** @param groups of the dictionary: one more than it has fields */
export function snapshotWeights(model: AdditiveModel, groups: number): WeightsSnapshot {
  return {
    base: model.base,
    shared: snapshotBlock(model.shared, groups),
    arms: snapshotBlock(model.arms, groups),
    tokens: snapshotBlock(model.tokens, model.crossesTokens ? groups : 1),
  };
}

function snapshotBlock(block: Block, groups: number): BlockSnapshot {
  return {
    rows: block.rows,
    tau: block.taus(groups),
    mean: Float32Array.from(block.values('mean')),
    variance: Float32Array.from(block.values('variance')),
  };
}
