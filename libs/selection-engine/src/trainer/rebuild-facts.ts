import type { ShareGuard } from '../evaluation/share-guard.ts';
import type { DesignFact } from './arm-table.ts';
import type { DrawState } from './draw-counts.ts';
import type { CatalogueRecord, MoneyRecord, StartRecord } from './learning-record.ts';
import { lastDriftAlarms, type DriftFact } from './trainer-report.ts';
import type { TrainerState } from './trainer-state.ts';

/** What happened beside exposures, each once. */
export interface RebuildFacts {
  readonly catalogue: CatalogueRecord;
  readonly starts: readonly StartRecord[];
  readonly money: Iterable<MoneyRecord>;
  /** What rang while the model learned live: a paywall's facts from before its last alarm weigh .1. */
  readonly driftAlarms?: readonly DriftFact[];
  /** What paywalls looked like, and since when, each one's in their order; others have the catalogue's design for ever. */
  readonly designs?: readonly DesignFact[];
  /** Where the live model's guard stands. */
  readonly guard?: ShareGuard;
  readonly carried?: CarriedCounts;
}

/** What a rebuilt model takes over as the live one counted it: none of it is served. */
export interface CarriedCounts {
  readonly draws: DrawState;
  readonly earlyStarts: Iterable<readonly [exposure: string, at: number]>;
  readonly alarmCount: number;
}

/** What a rebuild takes over of the live model. */
export function carriedFrom(state: TrainerState): Pick<RebuildFacts, 'designs' | 'guard' | 'driftAlarms' | 'carried'> {
  const { arms, guard, draws, earlyStarts, alarmCount } = state;
  const carried = { draws: draws.state(), earlyStarts: [...earlyStarts], alarmCount };
  return { designs: arms.facts, guard, driftAlarms: lastDriftAlarms(state), carried };
}

/** The first of each id. */
export function onceById<Fact extends { readonly id: string }>(facts: Iterable<Fact>): readonly Fact[] {
  const known = new Map<string, Fact>();
  for (const fact of facts) if (!known.has(fact.id)) known.set(fact.id, fact);
  return [...known.values()];
}
