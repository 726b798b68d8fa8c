import { describeError, type OutgoingMessage } from '@paywright/messaging';
import type { Logger, Metrics } from '@paywright/platform';
import { modelKey, type LogEntry, type ModelName, type RebuiltEntry } from '@paywright/selection-models';
import { awaits } from '../training/margin.ts';
import type { ModelLearner } from '../training/model-learner.ts';
import { isRebuildDue, nightBefore } from './night.ts';
import type { RebuildName, RebuildRows } from './rebuild-rows.ts';
import { workOn, type RebuildWorkOptions } from './rebuild-work.ts';

/** A rebuild that failed is tried again then. */
const tryAgainMs = 10 * 60_000;
/** In so many that had no end the process ended: as a rule its memory did not suffice, and would not the next time. */
const mostTries = 3;

export interface OwnedModel extends ModelName {
  readonly learner: ModelLearner;
}

export interface RebuilderOptions extends RebuildWorkOptions {
  readonly rows: RebuildRows;
  /** Those that this process trains now. */
  readonly models: () => Iterable<OwnedModel>;
  /** The time of day in milliseconds since midnight, UTC; null never rebuilds, nor makes what has begun. */
  readonly dueAtMs: number | null;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Has models rebuilt, each night, by whoever trains them: tells the log that a rebuild begins, makes what has begun,
 * one at a time, and tells the log what came of it. All of it can be told and made twice: the log's first word counts.
 */
export class Rebuilder {
  readonly #options: RebuilderOptions;
  readonly #metrics;
  /** By model: the newest rebuild that the log was told of, and when one failed last. */
  readonly #called = new Map<string, number>();
  readonly #told = new Map<string, number>();
  readonly #left = new Map<string, number>();
  readonly #failedAt = new Map<string, number>();

  constructor(options: RebuilderOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#metrics = {
      rebuilds: metrics.counter('learner_rebuilds_total', 'Models that were rebuilt, by what came of it', ['result']),
      exposures: metrics.counter('learner_rebuilt_exposures_total', 'Exposures that rebuilt models learned from'),
      seconds: metrics.gauge('learner_rebuild_seconds', 'How long the newest rebuild took'),
      diskBytes: metrics.gauge('learner_rebuild_disk_bytes', 'What the newest rebuild took of the disk'),
    };
  }

  /** To be called every second or so. @returns whether there is more to do at once */
  async turn(): Promise<boolean> {
    const models = [...this.#options.models()];
    await this.#call(models);
    const open = models.filter(({ learner }) => learner.margin.rebuild.isOpen);
    const begun = await this.#options.rows.begun(open.map(nameOf));
    for (const model of open) {
      const progress = begun.get(modelKey(model));
      if (progress === undefined) continue;
      if (progress.ended !== null) await this.#tell(model, progress.ended);
      if (progress.ended !== null || this.#options.dueAtMs === null) continue; // what has begun may be too much, too
      if (progress.tries >= mostTries) this.#leave(model);
      else if (!this.#failedLately(model)) return this.#make(model);
    }
    return false;
  }

  async #call(models: readonly OwnedModel[]): Promise<void> {
    const { clock, dueAtMs } = this.#options;
    if (dueAtMs === null) return;
    for (const model of models) {
      const key = modelKey(model);
      const night = nightBefore(clock.now(), dueAtMs, key);
      if (this.#called.get(key) === night || !isRebuildDue(model.learner, night)) continue;
      await this.#append(model, { type: 'rebuild', at: clock.now(), night });
      this.#called.set(key, night);
    }
  }

  async #make(model: OwnedModel): Promise<boolean> {
    const { rows, clock, logger } = this.#options;
    const name = nameOf(model);
    const stored = await rows.find(name);
    if (stored === null) return false;
    const begunAt = clock.steadyNow();
    const endTry = await rows.beginTry(name);
    try {
      const result = await workOn(this.#options, stored, () => this.#isOpen(name));
      if (result === null) return true;
      await rows.end(stored, result.ended, result.rebuilt);
      const seconds = (clock.steadyNow() - begunAt) / 1_000;
      this.#metrics.seconds.set(seconds);
      this.#metrics.diskBytes.set(result.diskBytes);
      await this.#tell(model, result.ended, seconds);
    } catch (error) {
      this.#failedAt.set(modelKey(name), clock.steadyNow());
      this.#metrics.rebuilds.inc({ result: 'failed' });
      logger.warn({ ...name, error: describeError(error) }, 'A model could not be rebuilt: it is tried again later');
    } finally {
      await endTry();
    }
    return true;
  }

  #leave(model: OwnedModel): void {
    const [key, { appId, model: id, night }] = [modelKey(model), nameOf(model)];
    if (this.#left.get(key) === night) return;
    this.#left.set(key, night);
    this.#metrics.rebuilds.inc({ result: 'left' });
    const words = `ended its process ${mostTries} times, and is left until the next night: has the learner memory enough?`;
    this.#options.logger.error({ appId, model: id, night }, `The rebuild of a model ${words}`);
  }

  async #tell(model: OwnedModel, ended: RebuiltEntry, seconds: number | null = null): Promise<void> {
    const key = modelKey(model);
    if (this.#told.get(key) === ended.night) return;
    await this.#append(model, ended);
    this.#told.set(key, ended.night);
    this.#metrics.rebuilds.inc({ result: ended.isPromoted ? 'promoted' : 'refused' });
    this.#metrics.exposures.inc(ended.exposures);
    const { night, liveLoss, rebuiltLoss, judgedExposures, exposures, liveSha256, rebuiltSha256 } = ended;
    const figures = { night, liveLoss, rebuiltLoss, judgedExposures, exposures, liveSha256, rebuiltSha256, seconds };
    const words = ended.isPromoted ? 'it takes the place of the live one' : 'the live one stays';
    this.#options.logger.info({ appId: model.appId, model: model.model, ...figures }, `A model was rebuilt: ${words}`);
  }

  #append({ appId, model }: ModelName, entry: LogEntry): Promise<void> {
    const { topic, publish } = this.#options;
    return publish([{ topic, key: modelKey({ appId, model }), headers: {}, value: JSON.stringify(entry) }]);
  }

  #isOpen(name: RebuildName): boolean {
    const models = [...this.#options.models()];
    return models.some((one) => modelKey(one) === modelKey(name) && awaits(one.learner.margin.rebuild, name.night));
  }

  #failedLately(model: ModelName): boolean {
    const failedAt = this.#failedAt.get(modelKey(model)) ?? -Infinity;
    return this.#options.clock.steadyNow() - failedAt < tryAgainMs;
  }
}

const nameOf = ({ appId, model, learner }: OwnedModel): RebuildName => {
  return { appId, model, night: learner.margin.rebuild.night };
};
