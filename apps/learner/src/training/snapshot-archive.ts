import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Pool } from 'pg';
import type { ModelName, PublishedSnapshot } from '@paywright/selection-models';
import {
  deleteOldSnapshots,
  insertSnapshot,
  selectLearnedUntil,
  selectNewest,
  upsertReport,
} from '../sql/model-snapshot.sql.ts';
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

  /** Until when these models have learned, in milliseconds since the epoch, where they have a snapshot. */
  async learnedUntil(
    models: readonly ModelName[],
  ): Promise<readonly (ModelName & { readonly learnedUntil: number })[]> {
    const values = [models.map(({ appId }) => appId), models.map(({ model }) => model)];
    const { rows } = await this.#pool.query<{ app_id: number; model: string; learned_until: Date }>(
      selectLearnedUntil,
      values,
    );
    return rows.map(({ app_id: appId, model, learned_until: until }) => ({ appId, model, learnedUntil: +until }));
  }

  /** A model's newest snapshot; null without one. */
  async newestOf({ appId, model }: ModelName): Promise<PublishedSnapshot | null> {
    const { rows } = await this.#pool.query<{ sha256: string; learned_until: Date; bytes: Buffer }>(selectNewest, [
      appId,
      model,
    ]);
    const [row] = rows;
    if (row === undefined) return null;
    const bytes = await promisify(gunzip)(row.bytes);
    return { appId, model, sha256: row.sha256, learnedUntil: +row.learned_until, bytes };
  }

  async forget(now: number): Promise<void> {
    await this.#pool.query(deleteOldSnapshots, [new Date(now - keptMs)]);
  }
}
