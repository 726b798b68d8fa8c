import { inTransaction } from '@paywright/event-sourcing';
import { modelKey, RebuiltEntry, sha256Of, type ModelName } from '@paywright/selection-models';
import type { Pool } from 'pg';
import type { OwnedPartitions } from '../owned-partitions.ts';
import { beginRebuild, endRebuild, selectBegun, selectRebuild } from '../sql/rebuild.sql.ts';

/** A rebuild, by its model and the time that it was due at. */
export interface RebuildName extends ModelName {
  readonly night: number;
}

/** Where a rebuild begins: its facts are what the log has before that offset. */
export interface BegunRebuild extends RebuildName {
  readonly partition: number;
  readonly beginOffset: bigint;
  /** The live learner there, as its checkpoint. */
  readonly live: Uint8Array;
}

export interface StoredRebuild extends BegunRebuild {
  readonly liveStateSha256: string;
  /** The rebuilt learner, as its checkpoint; null until it is made. */
  readonly rebuilt: Uint8Array | null;
  /** Null until it is made. */
  readonly ended: RebuiltEntry | null;
}

/** The newest rebuild of each model, as Postgres has it: begun and ended, so that a crash repeats no more than one. */
export class RebuildRows {
  readonly #pool: Pool;
  readonly #partitions: OwnedPartitions;

  /** @param partitions of the logs, as this process has claimed them */
  constructor(pool: Pool, partitions: OwnedPartitions) {
    this.#pool = pool;
    this.#partitions = partitions;
  }

  /** @throws ClaimLost if the model's log is another's to read: he may be further on */
  async begin(topic: string, { appId, model, partition, night, beginOffset, live }: BegunRebuild): Promise<void> {
    const bytes = Buffer.from(live);
    const values = [appId, model, partition, night, String(beginOffset), bytes, sha256Of(bytes)];
    await inTransaction(this.#pool, async (transaction) => {
      await this.#partitions.lock(transaction, topic, [partition]);
      await transaction.query(beginRebuild, values);
    });
  }

  /** Those that have begun, the oldest first, by what came of them: null of those that are to be made. */
  async begun(names: readonly RebuildName[]): Promise<ReadonlyMap<string, RebuiltEntry | null>> {
    if (names.length === 0) return new Map();
    const { rows } = await this.#pool.query<{ app_id: number; model: string; ended: string | null }>(selectBegun, [
      names.map(({ appId }) => appId),
      names.map(({ model }) => model),
      names.map(({ night }) => night),
    ]);
    return new Map(rows.map(({ app_id: appId, model, ended }) => [modelKey({ appId, model }), endedOf(ended)]));
  }

  async find({ appId, model, night }: RebuildName): Promise<StoredRebuild | null> {
    const { rows } = await this.#pool.query<{
      partition: number;
      begin_offset: string;
      live: Buffer;
      live_sha256: string;
      rebuilt: Buffer | null;
      ended: string | null;
    }>(selectRebuild, [appId, model, night]);
    const [row] = rows;
    if (row === undefined) return null;
    const { partition, begin_offset, live, live_sha256: liveStateSha256, rebuilt, ended } = row;
    const place = { appId, model, night, partition, beginOffset: BigInt(begin_offset) };
    return { ...place, live, liveStateSha256, rebuilt, ended: endedOf(ended) };
  }

  /** Nothing happens if another one has begun meanwhile. */
  async end(begun: StoredRebuild, ended: RebuiltEntry, rebuilt: Uint8Array): Promise<void> {
    const { appId, model, night, liveStateSha256 } = begun;
    const values = [appId, model, night, liveStateSha256, Buffer.from(rebuilt), JSON.stringify(ended)];
    await this.#pool.query(endRebuild, values);
  }
}

const endedOf = (text: string | null) => (text === null ? null : RebuiltEntry.parse(JSON.parse(text)));
