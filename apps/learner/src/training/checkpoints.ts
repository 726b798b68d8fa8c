import type { Transaction } from '@paywright/event-sourcing';
import type { Pool } from 'pg';
import { type ModelName, sha256Of } from '@paywright/selection-models';
import { forgetCheckpoints, selectCheckpoints, upsertCheckpoint } from '../sql/checkpoint.sql.ts';

/** A learner behind an offset of its log. */
export interface Checkpoint extends ModelName {
  readonly partition: number;
  /** The log's next offset that it has not learned from. */
  readonly nextOffset: bigint;
  readonly state: Uint8Array;
}

/** The checkpoints of all models whose logs are in these partitions; one that is damaged has an empty state. */
export async function loadCheckpoints(pool: Pool, partitions: readonly number[]): Promise<readonly Checkpoint[]> {
  const { rows } = await pool.query<{
    app_id: number;
    model: string;
    partition: number;
    next_offset: string;
    state: Buffer;
    sha256: string;
  }>(selectCheckpoints, [partitions]);
  return rows.map(({ app_id: appId, model, partition, next_offset, state, sha256 }) => {
    const whole = sha256Of(state) === sha256 ? state : new Uint8Array();
    return { appId, model, partition, nextOffset: BigInt(next_offset), state: whole };
  });
}

export async function deleteCheckpoints(transaction: Transaction, partitions: readonly number[]): Promise<void> {
  await transaction.query(forgetCheckpoints, [partitions]);
}

export async function storeCheckpoint(transaction: Transaction, checkpoint: Checkpoint): Promise<void> {
  const { appId, model, partition, nextOffset, state } = checkpoint;
  const bytes = Buffer.from(state);
  await transaction.query(upsertCheckpoint, [appId, model, partition, String(nextOffset), bytes, sha256Of(state)]);
}
