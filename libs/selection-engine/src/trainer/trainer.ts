import { FeatureEncoder } from '../features/feature-encoder.ts';
import { adoptShare, epochOf, lookAtShare, restoreShare } from '../evaluation/share-guard.ts';
import type { AdditiveModel, Arm } from '../learning/additive-model.ts';
import type { ModelSnapshot } from '../snapshot/model-snapshot.ts';
import { delayBin } from './delay-shares.ts';
import { DriftAlarm } from './drift-alarm.ts';
import type { CatalogueRecord, LearningRecord, ShownRecord, StartRecord } from './learning-record.ts';
import { fitStarts, foretell, isFitDue, keep, toItsEnd } from './fit-starts.ts';
import { isRefitDue, refitValues } from './refit-values.ts';
import type { ComparedExposure } from './side-sums.ts';
import { reportOf, snapshotOf, type TrainerReport } from './trainer-report.ts';
import { agesMs, freshState, type TrainerState } from './trainer-state.ts';
import { passOn, remembered, waiting, type WaitingExposure } from './waiting-exposure.ts';

const hourMs = 3_600_000;
/** Values are fitted at most, and at least, so often. */
const [refitMs, latestRefitMs] = [6 * hourMs, 24 * hourMs];
/** An exposure is not that much later than the last tick, unless there were none for want of traffic. */
const mostBetweenTicksMs = hourMs;
/** An exposure that comes later is dropped: it may be one that was here and has left, at 14 days. */
const latestMs = (14 * 24 - 1) * hourMs;

/**
 * Folds a model's learning log into the model. A pure reducer: what it knows is a function of the records in their
 * order, repeated ones change nothing, and time passes with ticks alone.
 */
export class Trainer {
  readonly state: TrainerState;
  readonly #encoder: FeatureEncoder;

  /** @param state taken over, not copied */
  constructor(state: TrainerState) {
    this.state = state;
    this.#encoder = new FeatureEncoder(state.dictionary);
  }

  /** @param modelId seeds the order in which starts are learned from */
  static fresh(modelId: string): Trainer {
    return new Trainer(freshState(modelId));
  }

  /** @throws RangeError if an amount, time or share is no finite number; then nothing has changed */
  apply(record: LearningRecord): void {
    if (!Number.isFinite(record.at)) throw new RangeError('A record has no time.');
    switch (record.type) {
      case 'decision':
        return this.state.draws.decided(record, this.state.now);
      case 'shown':
        return this.#shown(record);
      case 'start':
        return this.#start(record);
      case 'money':
        return this.state.ledger.addMoney(record);
      case 'tick':
        return this.#tick(record.at);
      case 'catalogue':
        return this.#catalogue(record);
      case 'restore':
        this.state.guard = restoreShare(this.state.guard, record.at);
        return;
      case 'share':
        this.state.guard = adoptShare(this.state.guard, record.factor, record.at);
        return;
      default:
        return record satisfies never;
    }
  }

  /** The model as it would be served now. */
  snapshot(): ModelSnapshot {
    return snapshotOf(this.state);
  }

  report(): TrainerReport {
    return reportOf(this.state);
  }

  #shown(record: ShownRecord): void {
    const { state } = this;
    if (!(record.share >= 0 && record.share <= 1)) throw new RangeError('A share is from 0 to 1.');
    if (record.at < state.now - latestMs || state.waiting.get(record.id) !== undefined) return;
    const arm = this.armAt(record.paywall, record.at);
    const active = this.#encoder.learn(record.values);
    const predicted = foretell(state, active, arm);
    const { places } = state.dictionary;
    const exposure = waiting(record, this.#arrivalOf(record), arm.row, active, places, predicted);
    const early = state.earlyStarts.get(record.id);
    if (early !== undefined) exposure.starts = 1;
    if (early !== undefined) exposure.delayBin = delayBin(early - record.at);
    state.earlyStarts.delete(record.id);
    state.ledger.show(record.id);
    passOn(exposure, state.arms.heirsOf(arm.row));
    state.waiting.add(exposure);
    if (record.side === 'ai') state.draws.shown(record.paywall);
  }

  /**
   * When the log has it: at the last tick, or at its own time where the log has had none, for want of traffic or yet. That
   * its clock was ahead instead, the next tick tells.
   */
  #arrivalOf({ at }: ShownRecord): number {
    const { now } = this.state;
    return at > now + mostBetweenTicksMs ? at : now;
  }

  #start(record: StartRecord): void {
    const { state } = this;
    const { exposure } = record;
    if (state.ledger.has(record.id)) return;
    const shown = state.waiting.get(exposure.id);
    state.ledger.addStart(record, this.armAt(exposure.paywall, exposure.at).row, shown !== undefined);
    if (shown !== undefined) shown.starts++;
    if (shown === undefined) {
      if (!state.earlyStarts.has(exposure.id)) state.earlyStarts.set(exposure.id, record.at);
    } else if (shown.delayBin === null) {
      shown.delayBin = delayBin(record.at - shown.at);
      if (shown.isCompared) state.comparison.addStart(this.#compared(shown));
    }
  }

  #tick(at: number): void {
    const { state } = this;
    const before = state.now;
    if (at <= before) return;
    state.now = at;
    state.waiting.advance(at, (exposure, age) => this.#pass(exposure, age));
    state.draws.forget(at);
    for (const [id, startedAt] of state.earlyStarts) if (startedAt < at - latestMs) state.earlyStarts.delete(id);
    if (before === 0) return;
    const isNew = (periodMs: number) => Math.floor(at / periodMs) > Math.floor(before / periodMs);
    const isValuing = isNew(latestRefitMs) || (isNew(refitMs) && isRefitDue(state));
    if (isValuing) refitValues(state, state.waiting);
    if (isNew(hourMs) && isFitDue(state)) toItsEnd(fitStarts(state, state.waiting));
    // Now, when starts and USD are of the same exposures.
    if (isValuing) state.guard = lookAtShare(state.guard, state.comparison.strata(), at);
  }

  /** An exposure reached an age: so much more of it counts as could have started by now. */
  #pass(exposure: WaitingExposure, age: number): void {
    const { state } = this;
    const arm = state.arms.shownAs(exposure.arm, exposure.at);
    const due = state.delays.upTo(state.arms.variantOf(arm), age) - exposure.given;
    if (due > 0) {
      exposure.given += due;
      // By a clock that is ahead, all that is known of promises would be of weeks that are past.
      const seenAt = Math.min(exposure.at, state.now);
      if (exposure.logValue !== null) state.promises.count(seenAt, exposure.logValue, due);
    }
    if (age === 0) state.exposures++;
    if (age === 1) {
      // At one age: judged on arrival, starts would seem early. Former products say nothing of those of today.
      if (arm.row === exposure.arm) this.#watch(arm.row, exposure.delayBin === null ? 0 : 1, exposure.predicted);
      exposure.isCompared = true;
      state.comparison.addExposure(this.#compared(exposure), exposure.given);
      if (exposure.delayBin !== null) state.comparison.addStart(this.#compared(exposure));
    }
    if (age < agesMs.length - 1) return;
    keep(state, exposure);
    if (exposure.delayBin !== null) state.delays.count(state.arms.variantOf(arm), exposure.delayBin);
  }

  #catalogue({ at, revision, horizonDays, arms }: CatalogueRecord): void {
    const { state } = this;
    if (revision < state.catalogRevision) return;
    state.catalogRevision = revision;
    state.horizonDays = horizonDays;
    for (const { paywall, design } of arms) {
      const arm = state.arms.name(paywall, design, at);
      this.#makeRows();
      if (arm.replaces >= 0) this.#discount(arm.replaces, arm.row);
    }
  }

  /** Compares what came of an exposure within a day with what was predicted before anything was learned of it. */
  #watch(row: number, starts: number, predicted: number): void {
    const { alarms } = this.state;
    const alarm = (alarms[row] ??= new DriftAlarm());
    if (!alarm.observe(starts, predicted)) return;
    this.state.alarmCount++;
    this.state.alarmedAt.set(row, this.state.now);
    this.#discount(row, row);
  }

  /** Gives a row (or another one instead) what is left of its data. */
  #discount(from: number, to: number): void {
    const { starts, history, waiting } = this.state;
    starts.weights.arms.inherit(to, from, remembered);
    // What the others then are to that row, the next fit finds.
    this.state.fittedExposures = 0;
    history.discount(from, to, remembered);
    waiting.discount(from, to);
  }

  #compared({ side, share, at }: WaitingExposure): ComparedExposure {
    return { side, share, since: epochOf(this.state.guard, at) };
  }

  /** The arm of a paywall, made if there is none. */
  armOf(paywall: string): Arm {
    return this.armAt(paywall, Infinity);
  }

  /** The arm that a paywall was at a time, made if there is none. */
  armAt(paywall: string, at: number): Arm {
    const arm = this.state.arms.armAt(paywall, at);
    this.#makeRows();
    return arm;
  }

  #makeRows(): void {
    const { arms, starts, values } = this.state;
    const { size } = arms;
    const grow = ({ arms: rows, tokens }: AdditiveModel) => {
      while (rows.rows < size.arms) rows.addRow();
      while (tokens.rows < size.tokens) tokens.addRow();
    };
    grow(starts.weights);
    grow(values.weights);
    while (this.state.alarms.length < size.arms) this.state.alarms.push(new DriftAlarm());
  }
}
