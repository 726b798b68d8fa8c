import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, InfrastructureFault, type KafkaConnection } from '@paywright/messaging';
import type { Logger } from '@paywright/platform';
import type { ModelName, RebuildEntry, RebuiltEntry } from '@paywright/selection-models';
import { awaits } from '../training/margin.ts';
import { ModelLearner } from '../training/model-learner.ts';
import { readModelLog } from './model-log.ts';
import type { RebuildName, RebuildRows, StoredRebuild } from './rebuild-rows.ts';

const askAgainMs = 200;
const patienceMs = 30_000;

/** A record's place in the log of models. */
export interface LogPlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

export interface RebuildsOptions {
  readonly kafka: KafkaConnection;
  readonly rows: RebuildRows;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/** What the log says of rebuilds, done to learners. */
export class Rebuilds {
  readonly #options: RebuildsOptions;

  constructor(options: RebuildsOptions) {
    this.#options = options;
  }

  /**
   * Keeps the learner as it is before the entry, for the rebuild that begins there; one that is too long to be kept is not
   * rebuilt that night. To be called before the entry is applied.
   */
  async begin(name: ModelName, learner: ModelLearner, { night }: RebuildEntry, place: LogPlace): Promise<void> {
    if (night <= learner.margin.rebuild.night || learner.margin.catalogue === null) return;
    const { topic, partition, offset: beginOffset } = place;
    const live = this.#encoded(name, learner);
    if (live !== null) await this.#options.rows.begin(topic, { ...name, night, partition, beginOffset, live });
  }

  /**
   * The learner that an entry is to be applied to: the rebuilt one, which has learned what the log has meanwhile, if
   * the entry promotes it. Where the rebuild was lost with its database, it is made once more: for so long it is waited.
   * @throws InfrastructureFault if that takes longer than a batch may; then the entry comes again
   */
  async end(name: ModelName, live: ModelLearner, entry: RebuiltEntry, place: LogPlace): Promise<ModelLearner> {
    const { night, isPromoted, rebuiltSha256 } = entry;
    if (!isPromoted || !awaits(live.margin.rebuild, night)) return live;
    const { rebuilt, beginOffset, ended } = await this.#made({ ...name, night });
    if (ended?.rebuiltSha256 !== rebuiltSha256) {
      this.#options.logger.warn(
        { ...name, rebuiltSha256 },
        'A rebuild made again is not what it was: another code made it',
      );
    }
    const learner = ModelLearner.restore(rebuilt);
    const { topic, partition, offset: end } = place;
    await readModelLog(this.#options.kafka, { ...name, topic, partition, from: beginOffset, end }, (missed) => {
      applyIfSound(learner, missed);
    });
    learner.takeSnapshot();
    return learner;
  }

  #encoded(name: ModelName, learner: ModelLearner): Uint8Array | null {
    try {
      return learner.checkpoint();
    } catch (error) {
      this.#options.logger.error({ ...name, error: describeError(error) }, 'A model cannot be kept for its rebuild');
      return null;
    }
  }

  async #made(name: RebuildName): Promise<StoredRebuild & { readonly rebuilt: Uint8Array }> {
    const { rows, stopping } = this.#options;
    await rows.forgetTries(name);
    for (let waitedMs = 0; waitedMs < patienceMs && !stopping.aborted; waitedMs += askAgainMs) {
      const stored = await rows.find(name);
      if (stored !== null && stored.rebuilt !== null) return { ...stored, rebuilt: stored.rebuilt };
      await sleep(askAgainMs, undefined, { signal: stopping }).catch(() => undefined);
    }
    throw new InfrastructureFault('A promoted model is still to be rebuilt.');
  }
}

/** What the live learner could not learn from, and told of then, the rebuilt one cannot either. */
function applyIfSound(learner: ModelLearner, entry: Parameters<ModelLearner['apply']>[0]): void {
  try {
    learner.apply(entry);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}
