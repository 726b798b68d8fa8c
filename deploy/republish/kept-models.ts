import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { OutgoingMessage } from '@paywright/messaging';
import { snapshotRecords } from '@paywright/selection-models';
import pg from 'pg';

/** Of each model the snapshot that was served last. */
const selectNewest = `
  select distinct on (app_id, model) app_id, model, sha256, learned_until, bytes
  from selection_learning.model_snapshot order by app_id, model, learned_until desc`;

interface SnapshotRow {
  readonly app_id: number;
  readonly model: string;
  readonly sha256: string;
  readonly learned_until: Date;
  /** Gzipped. */
  readonly bytes: Buffer;
}

/** The records of the models as they were served last, for `selection.models`. */
export async function keptModels(databaseUrl: string): Promise<readonly OutgoingMessage[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<SnapshotRow>(selectNewest);
    const models = rows.map(async ({ app_id: appId, model, sha256, learned_until: until, bytes }) =>
      snapshotRecords({ appId, model, sha256, learnedUntil: until.getTime(), bytes: await promisify(gunzip)(bytes) }),
    );
    return (await Promise.all(models)).flat();
  } finally {
    await client.end();
  }
}
