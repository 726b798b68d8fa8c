import type { AiShare } from '@paywright/contracts';
import {
  encodeCheckpoint,
  encodeSnapshot,
  restoreTrainer,
  Trainer,
  type LearningRecord,
  type StartRecord,
  type TrainerReport,
} from '@paywright/selection-engine';
import {
  type ControlEntry,
  type LogEntry,
  type RebuildEntry,
  type RebuiltEntry,
  sha256Of,
} from '@paywright/selection-models';
import { awaits, freshMargin, isDue, repeatMs, type Margin } from './margin.ts';
import { findingOf, type ShareFinding } from './share-finding.ts';

/** Of a value in Postgres, and of the message that brings it. */
const mostBytes = 1_000_000_000;

/** A snapshot that is due. */
export interface DueSnapshot {
  readonly sha256: string;
  readonly learnedUntil: number;
  readonly bytes: Uint8Array;
}

/** What people are told of a model beside its snapshot. */
export interface ModelReport extends TrainerReport {
  /** What came of its newest rebuild; null before the first. */
  readonly rebuild: RebuiltEntry | null;
}

/** A share that the guard found, and that the model's stream does not say yet: of which change, and of which version. */
export interface DueShare extends ShareFinding {
  readonly from: AiShare;
  readonly version: number;
}

/**
 * Folds a model's log into the model, its snapshots and its guard's findings: all of them functions of the log, so that
 * one restored from a checkpoint goes on to the very bytes.
 */
export class ModelLearner {
  readonly #trainer: Trainer;
  #margin: Margin;
  #snapshot: DueSnapshot | null = null;

  private constructor(trainer: Trainer, margin: Margin) {
    this.#trainer = trainer;
    this.#margin = margin;
  }

  /** @param key of the model: it seeds the order in which starts are learned from */
  static fresh(key: string): ModelLearner {
    return new ModelLearner(Trainer.fresh(key), freshMargin);
  }

  /** @throws RangeError if the bytes are not what `checkpoint` of this code wrote */
  static restore(bytes: Uint8Array): ModelLearner {
    const buffer = Buffer.from(bytes);
    const length = buffer.readUInt32BE(0);
    // The trainer's part is checked by its own digest; written by `checkpoint` of this very code.
    const margin = JSON.parse(buffer.subarray(4, 4 + length).toString()) as Margin;
    if (!('rebuild' in margin)) throw new RangeError('The checkpoint is of a code that knew no rebuilds.');
    return new ModelLearner(restoreTrainer(new Uint8Array(buffer.subarray(4 + length))), margin);
  }

  /** The same model, learned otherwise, of the same log up to here. @param early starts that it has not learned from */
  rebuilt(trainer: Trainer, early: readonly StartRecord[]): ModelLearner {
    return new ModelLearner(trainer, { ...this.#margin, early });
  }

  get trainer(): Trainer {
    return this.#trainer;
  }

  get margin(): Margin {
    return this.#margin;
  }

  /** @throws RangeError if it is longer than can be kept */
  checkpoint(): Uint8Array {
    const margin = Buffer.from(JSON.stringify(this.#margin));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(margin.length);
    const bytes = Buffer.concat([length, margin, encodeCheckpoint(this.#trainer)]);
    if (bytes.length > mostBytes) throw new RangeError(`The checkpoint is ${bytes.length} bytes long.`);
    return bytes;
  }

  report(): ModelReport {
    return { ...this.#trainer.report(), rebuild: this.#margin.rebuild.last };
  }

  /** @throws RangeError if the entry holds a number that is none; then nothing has changed */
  apply(entry: LogEntry): void {
    switch (entry.type) {
      case 'tick':
        return this.#tick(entry);
      case 'control':
        return this.#control(entry);
      case 'rebuild':
        return this.#begin(entry);
      case 'rebuilt':
        return this.#end(entry);
      case 'start':
        this.#start(entry);
        break;
      default:
        this.#trainer.apply(entry);
    }
    this.#change({ hasNews: true, ...(entry.type === 'catalogue' && { hasCatalog: true, catalogue: entry }) });
  }

  /** The newest snapshot that came due since this was asked last; null if none did. */
  takeSnapshot(): DueSnapshot | null {
    const snapshot = this.#snapshot;
    this.#snapshot = null;
    return snapshot;
  }

  /** What the guard leaves AI, if that is not what the model's stream says: handed out every few minutes until it is. */
  takeShare(): DueShare | null {
    const { control, finding, toldAt } = this.#margin;
    const { now } = this.#trainer.state;
    if (finding === null || finding.aiShare === control.aiShare || now - toldAt < repeatMs) return null;
    this.#change({ toldAt: now });
    return { ...finding, from: control.aiShare, version: control.version };
  }

  /**
   * A start teaches that exposures start, and must not come before they count: after an hour of many starts and no
   * exposures a model would take everything to start. So it waits until its exposure counts.
   */
  #start(start: StartRecord): void {
    const { early } = this.#margin;
    if (!this.#isEarly(start)) this.#trainer.apply(start);
    else if (early.every(({ id }) => id !== start.id)) this.#change({ early: [...early, start] });
  }

  #isEarly({ exposure }: StartRecord): boolean {
    return this.#trainer.state.waiting.get(exposure.id)?.given === 0;
  }

  #tick(tick: Extract<LearningRecord, { type: 'tick' }>): void {
    const { state } = this.#trainer;
    const before = state.guard;
    this.#trainer.apply(tick);
    const { early, rebuild } = this.#margin;
    if (rebuild.night === 0) this.#change({ rebuild: { ...rebuild, night: tick.at } });
    const ripe = early.filter((start) => !this.#isEarly(start));
    if (ripe.length > 0) this.#change({ early: early.filter((start) => !ripe.includes(start)) });
    for (const start of ripe) this.#trainer.apply(start);
    const finding = findingOf(before, state.guard, state.comparison.strata());
    if (finding !== null) this.#change({ finding, toldAt: 0 });
    if (isDue(this.#margin, state.now, state.exposures)) this.#publish();
  }

  /**
   * A person's word gives AI its share back; the guard's own comes back as it was found. One that this guard did not find
   * is from before the log was learned again: it holds, and so it is this guard's to release. Either holds from where the
   * log has it: by a clock that is ahead, nothing would be compared until then, and by one that is behind, it would be of
   * before the last alarm.
   */
  #control({ version, aiShare, isFrozen, isRestored }: ControlEntry): void {
    const { control: before } = this.#margin;
    if (version <= before.version) return;
    // What waits to be heard is of an older version, and would not be.
    this.#change({ control: { version, aiShare, isFrozen }, toldAt: 0 });
    const { guard, now: at } = this.#trainer.state;
    if (isRestored) this.#trainer.apply({ type: 'restore', at });
    else if (guard.factor === before.aiShare) this.#trainer.apply({ type: 'share', factor: aiShare, at });
    if (this.#trainer.state.guard.factor === aiShare) this.#change({ finding: null });
  }

  #begin({ night }: RebuildEntry): void {
    const { rebuild } = this.#margin;
    if (night > rebuild.night) this.#change({ rebuild: { ...rebuild, night, isOpen: true } });
  }

  /** A promoted model is another one from here on: it is published as soon as a changed catalog is. */
  #end(entry: RebuiltEntry): void {
    const { rebuild } = this.#margin;
    if (!awaits(rebuild, entry.night)) return;
    this.#change({ rebuild: { ...rebuild, isOpen: false, last: entry } });
    if (entry.isPromoted) this.#change({ hasCatalog: true });
  }

  #publish(): void {
    const { now: learnedUntil } = this.#trainer.state;
    const bytes = encodeSnapshot(this.#trainer.snapshot());
    this.#snapshot = { sha256: sha256Of(bytes), learnedUntil, bytes };
    this.#change({ publishedAt: learnedUntil, hasNews: false, hasCatalog: false });
  }

  #change(change: Partial<Margin>): void {
    this.#margin = { ...this.#margin, ...change };
  }
}
