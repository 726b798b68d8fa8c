import { unguarded } from '../evaluation/share-guard.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import type { FieldValues } from '../features/field-values.ts';
import { columnsByGroup } from '../learning/columns-by-group.ts';
import { StartModel, startPriors } from '../learning/start-model.ts';
import { ValueModel } from '../learning/value-model.ts';
import { log } from '../numbers/log.ts';
import type { DesignFact } from './arm-table.ts';
import { delayBin, type YoungStart } from './delay-shares.ts';
import { fitStarts, foretell, keep, sweepsOfRebuild } from './fit-starts.ts';
import { countRebuilt, lineOf } from './count-rebuilt.ts';
import { DrawCounts } from './draw-counts.ts';
import type { ShownRecord, StartRecord } from './learning-record.ts';
import type { RebuildFacts } from './rebuild-facts.ts';
import { refitValues } from './refit-values.ts';
import { ageAt, freshState, isMatureAt, type TrainerState } from './trainer-state.ts';
import { Trainer } from './trainer.ts';
import { ValueCounts } from './value-counts.ts';
import { WaitingColumns } from './waiting-columns.ts';
import { discount, passOn, waiting } from './waiting-exposure.ts';

/** Of the common intercept: the base is the mean rate already. */
const interceptTau = 0.05;

/** Prior variances follow from weights, and weights from prior variances. */
const fits = 4;

/**
 * Makes a trainer of facts instead of a log: a function of their set, whatever their order. Each exposure counts at the
 * share that its age gives it, and the start model is fitted to all of them at once.
 *
 * The caller shows all exposures twice, each once, by rising hash: to `count`, then to `learn`; then it lets `fit` run.
 * What is kept of them is what a live trainer keeps, so they need not fit into memory.
 */
export class Rebuild {
  readonly #modelId: string;
  readonly #facts: RebuildFacts;
  readonly #now: number;
  readonly #startsOf: ReadonlyMap<string, readonly StartRecord[]>;
  readonly #counts = new ValueCounts();
  /** By paywall, when it was shown first. */
  readonly #firstShown = new Map<string, number>();
  /** Of exposures that started: of which plan is known once the designs are. */
  readonly #delays: { readonly paywall: string; readonly at: number; readonly bin: number }[] = [];
  readonly #young = new WaitingColumns();
  /** Exposures that started. */
  readonly #shown = new Set<string>();
  #exposures = 0;
  #learning: { readonly trainer: Trainer; readonly encoder: FeatureEncoder } | null = null;

  /** @param now when the facts were known; younger exposures wait on */
  constructor(modelId: string, facts: RebuildFacts, now: number) {
    this.#modelId = modelId;
    this.#facts = facts;
    this.#now = now;
    this.#startsOf = startsByExposure(facts.starts);
  }

  /** Of the first showing. */
  count(record: ShownRecord): void {
    this.#exposures++;
    this.#counts.add(record.values);
    this.#firstShown.set(record.paywall, Math.min(record.at, this.#firstShown.get(record.paywall) ?? Infinity));
    const bin = this.#delayBinOf(record);
    if (bin !== null) this.#delays.push({ paywall: record.paywall, at: record.at, bin });
  }

  /** Of the second showing. */
  learn(record: ShownRecord): void {
    const { state } = this.trainer;
    const arm = state.arms.armAt(record.paywall, record.at);
    const heirs = state.arms.heirsOf(arm.row);
    const active = this.#encoder.assign(record.values);
    const exposure = waiting(record, record.at, arm.row, active, state.dictionary.places, 0);
    const age = ageAt(record.at, this.#now);
    if (age >= 0) exposure.given = state.delays.upTo(state.arms.variantOf(arm), age);
    for (const row of [arm.row, ...heirs]) if (record.at < (state.alarmedAt.get(row) ?? 0)) discount(exposure);
    passOn(exposure, heirs);
    exposure.starts = this.#startsOf.get(record.id)?.length ?? 0;
    if (exposure.starts > 0) this.#shown.add(record.id);
    exposure.delayBin = this.#delayBinOf(record);
    countRebuilt(state, exposure);
    if (isMatureAt(record.at, this.#now)) keep(state, exposure);
    else this.#young.push(exposure);
  }

  /** Behind the second showing: fits the values, and the start model with the pauses of `fitStarts`. */
  *fit(): Generator<undefined, void> {
    const { state } = this.trainer;
    for (const start of this.#facts.starts) {
      const { paywall, at } = start.exposure;
      state.ledger.addStart(start, this.trainer.armAt(paywall, at).row, this.#shown.has(start.exposure.id));
    }
    for (const record of this.#facts.money) state.ledger.addMoney(record);
    refitValues(state, this.#young);
    for (let round = 0; round < fits; round++) yield* fitStarts(state, this.#young, sweepsOfRebuild);
  }

  /** As for serving: -1 where it was not shown the value. */
  encode(values: FieldValues): Int32Array {
    return this.#encoder.encode(values).slice();
  }

  /** Starts within a day of an exposure that it expects. */
  foretell(active: Int32Array, paywall: string): number {
    return foretell(this.trainer.state, active, this.trainer.armOf(paywall));
  }

  /** Behind the fit. */
  finish(): Trainer {
    const { state } = this.trainer;
    const compared = state.comparison
      .strata()
      .reduce((sum, { ai, baseline }) => sum + ai.exposures + baseline.exposures, 0);
    // Its next look counts from what is compared now: facts that are too old for a rebuild were more.
    state.guard = { ...state.guard, exposures: Math.min(state.guard.exposures, compared) };
    const columns = columnsByGroup(state.dictionary.groups, 1 + state.dictionary.fields.length);
    for (const exposure of this.#young) {
      const arm = { row: exposure.arm, design: state.arms.designAt(exposure.arm) };
      const active = Int32Array.from(exposure.places, (place, group) => columns[group]![place - 1] ?? -1);
      exposure.predicted = foretell(state, active, arm);
    }
    return new Trainer({ ...state, waiting: lineOf(this.#young, this.#now) });
  }

  /** What is learned so far; made with the first showing over. */
  get trainer(): Trainer {
    return (this.#learning ??= this.#begin()).trainer;
  }

  get #encoder(): FeatureEncoder {
    return (this.#learning ??= this.#begin()).encoder;
  }

  #begin() {
    const { catalogue, starts, driftAlarms = [], guard = unguarded, carried } = this.#facts;
    const dictionary = this.#counts.dictionary();
    const state: TrainerState = {
      ...freshState(this.#modelId),
      now: this.#now,
      dictionary,
      starts: startModelOf(dictionary.groups, starts.length, this.#exposures),
      values: new ValueModel(dictionary),
      guard,
      alarmCount: carried?.alarmCount ?? driftAlarms.length,
      draws: new DrawCounts(carried?.draws),
      earlyStarts: new Map(carried?.earlyStarts),
    };
    const trainer = new Trainer(state);
    for (const { paywall, tokens, since } of this.#designs()) state.arms.name(paywall, tokens, since);
    trainer.apply(catalogue);
    for (const paywall of [...this.#firstShown.keys()].sort()) trainer.armOf(paywall);
    const young: YoungStart[] = [];
    for (const { paywall, at, bin } of this.#delays) {
      const shown = state.arms.variantOf(trainer.armAt(paywall, at));
      if (isMatureAt(at, this.#now)) state.delays.count(shown, bin);
      else young.push({ shown, ageMs: this.#now - at, bin });
    }
    state.delays.learn(young, (row) => state.arms.variantAt(row).plan);
    for (const { paywall, at } of driftAlarms) {
      const { row } = trainer.armAt(paywall, at);
      state.alarmedAt.set(row, Math.max(at, state.alarmedAt.get(row) ?? at));
    }
    return { trainer, encoder: new FeatureEncoder(dictionary) };
  }

  /** Of paywalls that were shown, from the one that was shown first on; by paywall, then in their order. */
  #designs(): readonly DesignFact[] {
    const { designs = [] } = this.#facts;
    const isOver = ({ paywall }: DesignFact, place: number, firstShown: number) =>
      designs.some((next, other) => other > place && next.paywall === paywall && next.since <= firstShown);
    const shown = designs.filter((design, place) => {
      const firstShown = this.#firstShown.get(design.paywall);
      return firstShown !== undefined && !isOver(design, place, firstShown);
    });
    return shown.sort((one, other) => (one.paywall < other.paywall ? -1 : one.paywall > other.paywall ? 1 : 0));
  }

  /** Of an exposure's first start. */
  #delayBinOf({ id, at }: ShownRecord): number | null {
    const [first] = [...(this.#startsOf.get(id) ?? [])].sort(
      (one, other) => one.at - other.at || (one.id < other.id ? -1 : 1),
    );
    return first === undefined ? null : delayBin(first.at - at);
  }
}

function startModelOf(groups: readonly number[], starts: number, exposures: number): StartModel {
  const base = starts > 0 && exposures > 0 ? log(starts / exposures) : undefined;
  return new StartModel(groups, { ...startPriors, shared: { ...startPriors.shared, intercept: interceptTau } }, base);
}

function startsByExposure(starts: readonly StartRecord[]): ReadonlyMap<string, readonly StartRecord[]> {
  const found = new Map<string, StartRecord[]>();
  for (const start of starts) {
    const { id } = start.exposure;
    const known = found.get(id);
    if (known === undefined) found.set(id, [start]);
    else known.push(start);
  }
  return found;
}
