import type { ShareGuard } from '../evaluation/share-guard.ts';
import { engineVersion, snapshotWeights, type ModelSnapshot } from '../snapshot/model-snapshot.ts';
import type { DrawCount } from './draw-counts.ts';
import type { PromiseTenth } from './promise-tenths.ts';
import type { EpochStratum } from './side-sums.ts';
import type { TrainerState } from './trainer-state.ts';

/** What a trainer can tell beside its snapshot. */
export interface TrainerReport {
  readonly strata: readonly EpochStratum[];
  /** What is left of the AI's share. */
  readonly guard: ShareGuard;
  readonly draws: readonly DrawCount[];
  readonly driftAlarms: number;
  /** By paywall: when its alarm rang last. A rebuild takes them as facts. */
  readonly lastDriftAlarms: readonly DriftFact[];
  readonly starts: number;
  readonly waitingExposures: number;
  /** What AI promised and what came, by rising promise. */
  readonly promises: readonly PromiseTenth[];
}

/** A paywall's drift alarm rang: what was learned of it before counts less. */
export interface DriftFact {
  readonly paywall: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function lastDriftAlarms({ alarmedAt, arms }: TrainerState): readonly DriftFact[] {
  const table = arms.state().arms;
  const rang = [...alarmedAt].sort(([one], [other]) => one - other);
  return rang.map(([row, at]) => ({ paywall: table[row]?.paywall ?? '', at }));
}

export function reportOf(state: TrainerState): TrainerReport {
  const { comparison, guard, draws, alarmCount, ledger, waiting } = state;
  return {
    strata: comparison.strata(),
    guard,
    draws: draws.state().counts,
    driftAlarms: alarmCount,
    lastDriftAlarms: lastDriftAlarms(state),
    starts: ledger.starts,
    waitingExposures: waiting.size,
    promises: state.promiseTenths,
  };
}

/** The model as it would be served. */
export function snapshotOf(state: TrainerState): ModelSnapshot {
  const { fields, entries } = state.dictionary.state();
  const { tokens, arms } = state.arms.state();
  return {
    engine: engineVersion,
    learnedUntil: state.now,
    catalogRevision: state.catalogRevision,
    horizonDays: state.horizonDays,
    exposures: state.exposures,
    fields,
    entries,
    tokens,
    arms: arms.map(({ paywall, design }) => ({ paywall, design: design ?? [] })),
    starts: snapshotWeights(state.starts.weights, fields.length + 1),
    values: snapshotWeights(state.values.weights, fields.length + 1),
    calibration: state.calibration,
  };
}
