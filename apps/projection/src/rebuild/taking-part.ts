import type { PartitionRange } from '@paywright/messaging';
import { sleep } from '@paywright/platform';
import type pg from 'pg';
import { projectionName } from '../following/dead-letters.ts';
import { rowsCode } from '../rows-code.ts';
import { guardErased } from './carry-over.ts';
import { beginOffsets, lockFolders, selectBegun, selectSchemaOf } from './offsets.sql.ts';
import { transact, tryLead } from './rebuild-connection.ts';
import { requireRebuildable } from './requirements.ts';
import { RebuildRefused, schemas } from './schemas.ts';

/** A process's part in a rebuild: all of them fold, and one leads them: it begins, tells how far they are, and switches. */
export interface Part {
  /** The object id of the table of offsets: by it the rebuild is told from those behind it, which have its name. */
  readonly table: number;
  readonly leads: boolean;
}

export interface PartOptions {
  /** Of all topics. */
  readonly ranges: readonly PartitionRange[];
  readonly clusterId: string;
  readonly ending: AbortSignal;
}

const lookEveryMs = 200;

/**
 * Leads where nobody does; else waits until the leading process has begun.
 * @returns null if it was told to end meanwhile
 * @throws RebuildRefused
 */
export async function takePart(
  connection: pg.Client,
  { ranges, clusterId, ending }: PartOptions,
): Promise<Part | null> {
  for (; !ending.aborted; await sleep(lookEveryMs, ending)) {
    const leads = await tryLead(connection);
    await requireRebuildable(connection, ranges, clusterId);
    if (leads) await transact(connection, () => begin(connection, ranges, clusterId));
    const { rows } = await connection.query<{ table: number }>(selectBegun, [rowsCode]);
    if (rows[0]) return { table: rows[0].table, leads };
  }
  return null;
}

/** Nobody folds before this: rows of the partitions tell others which code they are folded by, and that the erased are guarded. */
async function begin(connection: pg.Client, ranges: readonly PartitionRange[], clusterId: string): Promise<void> {
  await connection.query(lockFolders);
  await guardErased(connection);
  const topics = ranges.map(({ topic }) => topic);
  const partitions = ranges.map(({ partition }) => partition);
  await connection.query(beginOffsets, [projectionName, topics, partitions, clusterId, rowsCode]);
}

/**
 * While another process leads, until this one does.
 * @returns false if it never does: it was told to end, or the rebuild has switched
 * @throws RebuildRefused if the rebuild was dropped
 */
export async function untilLeading(
  connection: pg.Client,
  table: number,
  { say, ending }: { readonly say: (line: string) => void; readonly ending: AbortSignal },
): Promise<boolean> {
  for (; !ending.aborted; await sleep(lookEveryMs, ending)) {
    const leads = await tryLead(connection);
    const { rows } = await connection.query<{ schema: string }>(selectSchemaOf, [table]);
    if (!rows[0]) throw new RebuildRefused('The rebuild was dropped.');
    if (rows[0].schema !== schemas.next) {
      say('Switched, by the process that led.');
      return false;
    }
    if (!leads) continue;
    say('The process that led has ended: this one leads.');
    return true;
  }
  return false;
}
