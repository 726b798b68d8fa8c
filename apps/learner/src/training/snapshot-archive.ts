import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Pool } from 'pg';
import type { ModelName } from '@paywright/selection-models';
import { deleteOldSnapshots, insertSnapshot, upsertReport } from '../sql/model-snapshot.sql.ts';
import type { DueSnapshot, ModelReport } from './model-learner.ts';

const keptMs = 30 * 24 * 3_600_000;

/** Keeps what was served by its hash, so that a decision of the last 30 days can be made again. */
export class SnapshotArchive {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** @param now of the machine: snapshots are kept by the days that people count */
  async keep({ appId, model }: ModelName, snapshot: DueSnapshot, report: ModelReport, now: number): Promise<void> {
    const { sha256, learnedUntil, bytes } = snapshot;
    const packed = await promisify(gzip)(bytes, { level: 1 });
    const until = new Date(learnedUntil);
    await this.#pool.query(insertSnapshot, [appId, sha256, model, until, new Date(now), packed]);
    await this.#pool.query(upsertReport, [appId, model, sha256, until, JSON.stringify(report)]);
  }

  async forget(now: number): Promise<void> {
    await this.#pool.query(deleteOldSnapshots, [new Date(now - keptMs)]);
  }
}
