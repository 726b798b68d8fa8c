import { Dictionary, type DictionaryState } from '../features/dictionary.ts';
import { contextFields } from '../features/field-values.ts';
import { unguarded, type ShareGuard } from '../evaluation/share-guard.ts';
import { ExposureHistory } from '../learning/exposure-history.ts';
import { StartModel } from '../learning/start-model.ts';
import { ValueModel } from '../learning/value-model.ts';
import { uncalibrated, type Calibration } from '../snapshot/model-snapshot.ts';
import { ArmTable, type ArmTableState } from './arm-table.ts';
import { ConversionLedger } from './conversion-ledger.ts';
import { DelayShares, type DelayState } from './delay-shares.ts';
import { DrawCounts, type DrawState } from './draw-counts.ts';
import { DriftAlarm, type DriftState } from './drift-alarm.ts';
import type { KeptConversions } from './kept-conversions.ts';
import type { PromiseTenth } from './promise-tenths.ts';
import { Promises, type PromisesState } from './promises.ts';
import { Comparison, type EpochStratum } from './side-sums.ts';
import { WaitingExposures, type WaitingState } from './waiting-exposures.ts';

const hourMs = 3_600_000;

/** When more of an exposure counts, and when it is mature. */
export const agesMs = [hourMs, 24 * hourMs, 14 * 24 * hourMs] as const;

/** Which of them is a day. */
export const dayAge = 1;

/** How many ages, less one, an exposure has passed by then: -1 of one that is younger than the first. */
export function ageAt(at: number, now: number): number {
  let ages = 0;
  while (ages < agesMs.length && at + agesMs[ages]! <= now) ages++;
  return ages - 1;
}
export const isMatureAt = (at: number, now: number): boolean => ageAt(at, now) === agesMs.length - 1;

/** What a trainer holds but for weights and for what grows with traffic, as JSON. */
export interface PlainState {
  readonly seed: string;
  readonly now: number;
  readonly catalogRevision: number;
  readonly horizonDays: number;
  readonly exposures: number;
  readonly fittedExposures: number;
  readonly valuedRecords: number;
  readonly calibration: Calibration;
  readonly dictionary: DictionaryState;
  readonly arms: ArmTableState;
  readonly waiting: Omit<WaitingState, 'exposures'>;
  readonly earlyStarts: readonly (readonly [exposure: string, at: number])[];
  readonly delays: DelayState;
  readonly comparison: readonly EpochStratum[];
  readonly guard: ShareGuard;
  readonly draws: DrawState['counts'];
  readonly alarms: readonly DriftState[];
  readonly alarmCount: number;
  readonly alarmedAt: readonly (readonly [row: number, at: number])[];
  /** Exposures by week and sixteenth of the log of what they were promised. */
  readonly promises: PromisesState;
  readonly promiseTenths: readonly PromiseTenth[];
}

/** What grows with traffic. */
export interface LongState {
  readonly waiting: WaitingState['exposures'];
  readonly decisions: DrawState['recent'];
  readonly ledger: KeptConversions;
}

/** What a trainer knows. */
export interface TrainerState {
  readonly seed: string;
  /** The last tick, 0 before the first. */
  now: number;
  catalogRevision: number;
  horizonDays: number;
  exposures: number;
  /** How many there were when the start model was fitted last. */
  fittedExposures: number;
  /** Starts and records of money that there were when their values were fitted last. */
  valuedRecords: number;
  calibration: Calibration;
  readonly dictionary: Dictionary;
  readonly arms: ArmTable;
  readonly starts: StartModel;
  readonly values: ValueModel;
  readonly waiting: WaitingExposures;
  /** Exposures that wait no more. */
  readonly history: ExposureHistory;
  /** Starts whose exposure the log has not had yet. */
  readonly earlyStarts: Map<string, number>;
  readonly ledger: ConversionLedger;
  readonly delays: DelayShares;
  readonly comparison: Comparison;
  guard: ShareGuard;
  readonly draws: DrawCounts;
  /** By arm's row. */
  readonly alarms: DriftAlarm[];
  alarmCount: number;
  /** By arm's row: when its alarm rang last. */
  readonly alarmedAt: Map<number, number>;
  readonly promises: Promises;
  /** As of the last fit of the values. */
  promiseTenths: readonly PromiseTenth[];
}

/** @param seed of the order in which starts are learned from; a model's id does */
export function freshState(seed: string, fields: readonly string[] = contextFields): TrainerState {
  const dictionary = new Dictionary(fields);
  return {
    seed,
    now: 0,
    catalogRevision: 0,
    horizonDays: 180,
    exposures: 0,
    fittedExposures: 0,
    valuedRecords: 0,
    calibration: uncalibrated,
    dictionary,
    arms: new ArmTable(),
    starts: new StartModel(dictionary.groups),
    values: new ValueModel(dictionary),
    waiting: new WaitingExposures(agesMs),
    history: new ExposureHistory(),
    earlyStarts: new Map(),
    ledger: new ConversionLedger(seed),
    delays: new DelayShares(),
    comparison: new Comparison(),
    guard: unguarded,
    draws: new DrawCounts(),
    alarms: [],
    alarmCount: 0,
    alarmedAt: new Map(),
    promises: new Promises(),
    promiseTenths: [],
  };
}

export function plainState(state: TrainerState): PlainState {
  const { passed } = state.waiting.state();
  const { seed, now, catalogRevision, horizonDays, calibration, guard, alarmCount } = state;
  const { exposures, fittedExposures, valuedRecords } = state;
  return {
    ...{ seed, now, catalogRevision, horizonDays, exposures, fittedExposures, valuedRecords, calibration, guard },
    dictionary: state.dictionary.state(),
    arms: state.arms.state(),
    waiting: { passed },
    earlyStarts: [...state.earlyStarts],
    delays: state.delays.state(),
    comparison: state.comparison.strata(),
    draws: state.draws.state().counts,
    alarms: state.alarms.map((alarm) => alarm.state()),
    alarmCount,
    alarmedAt: [...state.alarmedAt].sort(([one], [other]) => one - other),
    promises: state.promises.state(),
    promiseTenths: state.promiseTenths,
  };
}

export const longState = ({ waiting, draws, ledger }: TrainerState): LongState => {
  return { waiting: waiting.state().exposures, decisions: draws.state().recent, ledger: ledger.state() };
};

/** The state of these two parts, the models and the history still without data. */
export function stateOf(plain: PlainState, { waiting, decisions, ledger }: LongState): TrainerState {
  const { fields, entries, counts } = plain.dictionary;
  const dictionary = new Dictionary(fields, entries, counts);
  const { seed, now, catalogRevision, horizonDays, calibration, guard, alarmCount } = plain;
  const { exposures, fittedExposures, valuedRecords } = plain;
  return {
    ...{ seed, now, catalogRevision, horizonDays, exposures, fittedExposures, valuedRecords, calibration, guard },
    alarmCount,
    dictionary,
    arms: new ArmTable(plain.arms),
    starts: new StartModel(dictionary.groups),
    values: new ValueModel(dictionary),
    waiting: new WaitingExposures(agesMs, { ...plain.waiting, exposures: waiting }),
    history: new ExposureHistory(),
    earlyStarts: new Map(plain.earlyStarts),
    ledger: new ConversionLedger(seed, ledger),
    delays: new DelayShares(plain.delays),
    comparison: new Comparison(plain.comparison),
    draws: new DrawCounts({ counts: plain.draws, recent: decisions }),
    alarms: plain.alarms.map((alarm) => new DriftAlarm(alarm)),
    alarmedAt: new Map(plain.alarmedAt),
    promises: new Promises(plain.promises),
    promiseTenths: plain.promiseTenths,
  };
}
