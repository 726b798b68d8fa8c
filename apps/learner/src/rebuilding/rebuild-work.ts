import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KafkaConnection } from '@paywright/messaging';
import type { Clock } from '@paywright/platform';
import type { RebuiltEntry } from '@paywright/selection-models';
import { ModelLearner } from '../training/model-learner.ts';
import { factsOfLearner } from './facts-of-learner.ts';
import { readModelLog } from './model-log.ts';
import { rebuildModel } from './rebuild-model.ts';
import type { RebuildRows, StoredRebuild } from './rebuild-rows.ts';
import { ShuffledExposures } from './shuffled-exposures.ts';

/** Where exposures are shuffled: they need not fit into memory. */
const directory = join(tmpdir(), 'paywright-rebuild');

export interface RebuildWorkOptions {
  readonly rows: Pick<RebuildRows, 'live'>;
  readonly kafka: KafkaConnection;
  readonly topic: string;
  readonly clock: Clock;
  /** Between two slices of the work, for as long as others need the machine more. */
  readonly giveWay: () => Promise<void>;
}

export interface RebuildResult {
  readonly ended: RebuiltEntry;
  /** The rebuilt learner, as its checkpoint. */
  readonly rebuilt: Uint8Array;
  /** What its exposures took of the disk, in bytes. */
  readonly diskBytes: number;
}

/** Entries of the log that are read before others have their turn. */
const readAtATime = 1_000;

/**
 * Reads the exposures of a begun rebuild from the log, makes the model of them, and judges it.
 * @param isWanted asked now and then: where it is not any more, the work ends
 * @returns null if it was not wanted to the end
 */
export async function workOn(
  { rows, kafka, topic, clock, giveWay }: RebuildWorkOptions,
  begun: StoredRebuild,
  isWanted: () => boolean,
): Promise<RebuildResult | null> {
  const live = await liveOf(rows, begun);
  if (live === null) return null;
  const facts = factsOfLearner(live);
  const { last } = live.margin.rebuild;
  await using shown = await ShuffledExposures.open(directory, live.trainer.state.seed);
  const rest = async () => {
    await nextTurn();
    if (!isWanted()) throw new Unwanted();
    await giveWay();
  };
  let [read, oldest] = [0, begun.beginOffset];
  const part = { ...begun, topic, from: BigInt(last?.from ?? 0), end: begun.beginOffset };
  try {
    await readModelLog(kafka, part, async (entry, offset) => {
      if (++read % readAtATime === 0) await rest();
      if (entry.type !== 'shown' || entry.at < facts.since || !(entry.share >= 0 && entry.share <= 1)) return;
      if (offset < oldest) oldest = offset;
      await shown.add(entry);
    });
    const { learner, promotion, exposures, ...sha256s } = await rebuildModel(live, facts, shown, rest);
    const { promote: isPromoted, liveLoss, rebuiltLoss, exposures: judgedExposures } = promotion;
    const judged = { isPromoted, liveLoss, rebuiltLoss, judgedExposures };
    const named = {
      type: 'rebuilt',
      at: clock.now(),
      night: begun.night,
      from: String(oldest),
      since: facts.since,
    } as const;
    const ended = { ...named, ...judged, exposures, ...sha256s };
    return { ended, rebuilt: learner.checkpoint(), diskBytes: shown.bytes };
  } catch (error) {
    if (error instanceof Unwanted) return null;
    throw error;
  }
}

/** Its bytes are as long again, and held by nobody behind this. */
async function liveOf(rows: RebuildWorkOptions['rows'], begun: StoredRebuild): Promise<ModelLearner | null> {
  const bytes = await rows.live(begun);
  return bytes && ModelLearner.restore(bytes);
}

class Unwanted extends Error {}
