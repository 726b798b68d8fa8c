import { inTransaction } from '@paywright/event-sourcing';
import { modelKey, RebuiltEntry, sha256Of, type ModelName } from '@paywright/selection-models';
import type { Pool } from 'pg';
import type { OwnedPartitions } from '../owned-partitions.ts';
import {
  beginRebuild,
  countTries,
  endRebuild,
  forgetTries,
  selectBegun,
  selectLive,
  selectRebuild,
} from '../sql/rebuild.sql.ts';

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

/** Without the live learner, which may be long. */
export interface StoredRebuild extends Omit<BegunRebuild, 'live'> {
  readonly liveStateSha256: string;
  /** The rebuilt learner, as its checkpoint; null until it is made. */
  readonly rebuilt: Uint8Array | null;
  /** Null until it is made. */
  readonly ended: RebuiltEntry | null;
}

/** How far a begun rebuild is. */
export interface RebuildProgress {
  /** Null until it is made. */
  readonly ended: RebuiltEntry | null;
  /** How often it was begun to be made, and neither ended nor failed: as far as it is not at work, its process ended. */
  readonly tries: number;
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
    const bytes = inPlace(live);
    const values = [appId, model, partition, night, String(beginOffset), bytes, sha256Of(bytes)];
    await inTransaction(this.#pool, async (transaction) => {
      await this.#partitions.lock(transaction, topic, [partition]);
      await transaction.query(beginRebuild, values);
    });
  }

  /** Those that have begun, the oldest first. */
  async begun(names: readonly RebuildName[]): Promise<ReadonlyMap<string, RebuildProgress>> {
    if (names.length === 0) return new Map();
    const { rows } = await this.#pool.query<{ app_id: number; model: string; ended: string | null; tries: number }>(
      selectBegun,
      [names.map(({ appId }) => appId), names.map(({ model }) => model), names.map(({ night }) => night)],
    );
    return new Map(
      rows.map(({ app_id: appId, model, ended, tries }) => [
        modelKey({ appId, model }),
        { ended: endedOf(ended), tries },
      ]),
    );
  }

  async find({ appId, model, night }: RebuildName): Promise<StoredRebuild | null> {
    const { rows } = await this.#pool.query<{
      partition: number;
      begin_offset: string;
      live_sha256: string;
      rebuilt: Buffer | null;
      ended: string | null;
    }>(selectRebuild, [appId, model, night]);
    const [row] = rows;
    if (row === undefined) return null;
    const { partition, begin_offset, live_sha256: liveStateSha256, rebuilt, ended } = row;
    const place = { appId, model, night, partition, beginOffset: BigInt(begin_offset) };
    return { ...place, liveStateSha256, rebuilt, ended: endedOf(ended) };
  }

  /** The live learner where it begins, as its checkpoint; null if another one has begun meanwhile. */
  async live({ appId, model, night, liveStateSha256 }: StoredRebuild): Promise<Uint8Array | null> {
    const { rows } = await this.#pool.query<{ live: Buffer }>(selectLive, [appId, model, night, liveStateSha256]);
    return rows[0]?.live ?? null;
  }

  /** To be called before a rebuild is made; what is returned, once it was made or could not be. */
  async beginTry({ appId, model, night }: RebuildName): Promise<() => Promise<void>> {
    const count = async (more: number) => {
      await this.#pool.query(countTries, [appId, model, night, more]);
    };
    await count(1);
    return () => count(-1);
  }

  /** Has a rebuild made however many processes it has ended. */
  async forgetTries({ appId, model, night }: RebuildName): Promise<void> {
    await this.#pool.query(forgetTries, [appId, model, night]);
  }

  /** Nothing happens if another one has begun meanwhile. */
  async end(begun: StoredRebuild, ended: RebuiltEntry, rebuilt: Uint8Array): Promise<void> {
    const { appId, model, night, liveStateSha256 } = begun;
    const values = [appId, model, night, liveStateSha256, inPlace(rebuilt), JSON.stringify(ended)];
    await this.#pool.query(endRebuild, values);
  }
}

/** As the driver takes them; a copy would be as long again. */
const inPlace = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

const endedOf = (text: string | null) => (text === null ? null : RebuiltEntry.parse(JSON.parse(text)));
