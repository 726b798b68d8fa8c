import { epochOf, unguarded, type ShareGuard } from '../evaluation/share-guard.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import { StartModel, startPriors } from '../learning/start-model.ts';
import { ValueModel } from '../learning/value-model.ts';
import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';
import { inHashOrder } from '../value/label-starts.ts';
import { countDictionary } from './count-dictionary.ts';
import { delayBin } from './delay-shares.ts';
import type { CatalogueRecord, MoneyRecord, ShownRecord, StartRecord } from './learning-record.ts';
import { promiseBin, refitValues } from './refit-values.ts';
import type { DriftFact } from './trainer-report.ts';
import { agesMs, freshState, remembered, type TrainerState } from './trainer-state.ts';
import { Trainer } from './trainer.ts';
import { waiting, WaitingExposures, type WaitingExposure } from './waiting-exposures.ts';

/** What happened, in any order and with repetitions. */
export interface Facts {
  readonly catalogue: CatalogueRecord;
  readonly shown: Iterable<ShownRecord>;
  readonly starts: Iterable<StartRecord>;
  readonly money: Iterable<MoneyRecord>;
  /** What rang while the model learned live: a paywall's facts from before its last alarm weigh .3. */
  readonly driftAlarms?: readonly DriftFact[];
  /** Where the live model's guard stands. */
  readonly guard?: ShareGuard;
}

/** Of the common intercept: the base is the mean rate already. */
const interceptTau = 0.05;

/**
 * A trainer made of facts instead of a log: a function of their set, whatever their order. Exposures are learned
 * from in an order by hash, since in the order of time early ones freeze what is rare then, each once, at the share
 * that its age gives it; a first time to find the prior variances, a second time with them.
 * @param now when the facts were known; younger exposures wait on
 */
export function rebuild(modelId: string, facts: Facts, now: number): Trainer {
  const shown = inHashOrder(new Map([...facts.shown].map((record) => [record.id, record])).values(), modelId);
  const starts = inHashOrder(new Map([...facts.starts].map((record) => [record.id, record])).values(), modelId);
  const dictionary = countDictionary(shown.map(({ values }) => values));
  const state: TrainerState = {
    ...freshState(modelId),
    now,
    dictionary,
    starts: startModelOf(dictionary.groups, starts.length, shown.length),
    values: new ValueModel(dictionary.groups),
    catalogRevision: 0,
    guard: facts.guard ?? unguarded,
  };
  const trainer = new Trainer(state);
  trainer.apply(facts.catalogue);
  for (const paywall of [...new Set(shown.map((record) => record.paywall))].sort()) trainer.armOf(paywall);
  for (const { paywall, at } of facts.driftAlarms ?? []) {
    const { row } = trainer.armOf(paywall);
    state.alarmedAt.set(row, Math.max(at, state.alarmedAt.get(row) ?? at));
  }
  state.alarmCount = facts.driftAlarms?.length ?? 0;
  const exposures = exposuresOf(state, shown, starts);
  for (const start of starts) state.ledger.addStart(start, state.arms.armOf(start.exposure.paywall).row);
  for (const record of facts.money) state.ledger.addMoney(record);

  countDelays(state, exposures, now);
  learn(state, exposures, now);
  const { shared, arms, tokens } = state.starts.weights;
  for (const block of [arms, tokens]) block.learnTau();
  for (const block of [shared, arms, tokens]) {
    for (let row = 0; row < block.rows; row++) block.inherit(row, row, 0);
  }
  learn(state, exposures, now);
  count(state, exposures, now);
  refitValues(state);
  return new Trainer({ ...state, waiting: line(state, exposures, now) });
}

interface RebuiltExposure {
  readonly exposure: WaitingExposure;
  readonly starts: number;
}

function startModelOf(groups: readonly number[], starts: number, exposures: number): StartModel {
  const base = starts > 0 && exposures > 0 ? log(starts / exposures) : undefined;
  return new StartModel(groups, { ...startPriors, shared: { ...startPriors.shared, intercept: interceptTau } }, base);
}

/** Exposures in their order, with their starts. A start whose exposure is not among the facts teaches nothing. */
function exposuresOf(
  state: TrainerState,
  shown: readonly ShownRecord[],
  starts: readonly StartRecord[],
): readonly RebuiltExposure[] {
  const encoder = new FeatureEncoder(state.dictionary);
  const ofExposure = new Map<string, StartRecord[]>();
  for (const start of starts) {
    ofExposure.set(start.exposure.id, [...(ofExposure.get(start.exposure.id) ?? []), start]);
  }
  return shown.map((record) => {
    const { row } = state.arms.armOf(record.paywall);
    const exposure = waiting(record, record.at, row, encoder.assign(record.values), 0);
    const own = ofExposure.get(record.id) ?? [];
    const [first] = [...own].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
    if (first !== undefined) exposure.start = { plan: first.plan, bin: delayBin(first.at - record.at) };
    return { exposure, starts: own.length };
  });
}

const ageOf = (exposure: WaitingExposure, now: number) =>
  agesMs.filter((ageMs) => exposure.at + ageMs <= now).length - 1;
const isMature = (exposure: WaitingExposure, now: number) => ageOf(exposure, now) === agesMs.length - 1;

function countDelays(state: TrainerState, exposures: readonly RebuiltExposure[], now: number): void {
  for (const { exposure } of exposures) {
    if (exposure.start !== null && isMature(exposure, now)) state.delays.count(exposure.start.plan, exposure.start.bin);
  }
}

function learn(state: TrainerState, exposures: readonly RebuiltExposure[], now: number): void {
  for (const { exposure, starts } of exposures) {
    const arm = { row: exposure.arm, design: state.arms.designAt(exposure.arm) };
    const age = ageOf(exposure, now);
    exposure.given = age < 0 ? 0 : state.delays.upTo(state.arms.planOf(arm), age);
    const weight = exposure.at < (state.alarmedAt.get(exposure.arm) ?? 0) ? remembered : 1;
    state.starts.exposure(exposure.active, arm, weight * exposure.given);
    for (let start = 0; start < starts; start++) state.starts.start(exposure.active, arm, weight);
  }
}

/** What a live trainer counts as exposures pass their ages. */
function count(state: TrainerState, exposures: readonly RebuiltExposure[], now: number): void {
  for (const { exposure } of exposures) {
    const age = ageOf(exposure, now);
    const { side, share, logValue, start } = exposure;
    if (age >= 0) state.exposures++;
    if (age >= 1) {
      exposure.isCompared = true;
      const compared = { side, share, since: epochOf(state.guard, exposure.at) };
      state.comparison.addExposure(compared);
      if (start !== null) state.comparison.addStart(compared);
    }
    if (logValue === null || !isMature(exposure, now)) continue;
    const bin = promiseBin(logValue);
    state.promises.set(bin, (state.promises.get(bin) ?? 0) + 1);
  }
}

/** The exposures that are not mature yet, by time, each with what the rebuilt model predicts of it. */
function line(state: TrainerState, exposures: readonly RebuiltExposure[], now: number): WaitingExposures {
  const young = exposures.map(({ exposure }) => exposure).filter((exposure) => !isMature(exposure, now));
  young.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  const predicted = young.map((exposure) => {
    const arm = { row: exposure.arm, design: state.arms.designAt(exposure.arm) };
    return { ...exposure, predicted: exp(state.starts.score(exposure.active, arm)) };
  });
  const passed = agesMs.map((_, age) => young.filter((exposure) => ageOf(exposure, now) >= age).length);
  return new WaitingExposures(agesMs, { passed, exposures: predicted });
}
