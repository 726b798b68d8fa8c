import type { PartitionRange } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import { rowsCode } from '../rows-code.ts';
import {
  selectDifferentMigrations,
  selectForeignClusters,
  selectIsBegunByOtherCode,
  selectIsOfOtherCode,
  selectReadAnew,
} from './offsets.sql.ts';
import { RebuildRefused, schemas } from './schemas.ts';

/**
 * Whether the topics still hold what the read model shows, and there is room for a new one.
 * @throws RebuildRefused
 */
export async function requireRebuildable(
  database: Queryable,
  ranges: readonly PartitionRange[],
  clusterId: string,
): Promise<void> {
  if (await exists(database, schemas.former))
    throw new RebuildRefused('The former read model is still kept. Drop it first: --drop-former.');
  if (!(await exists(database, schemas.live)) || !(await exists(database, schemas.next)))
    throw new RebuildRefused(
      'The database is not prepared: there is no read model in it, or no place for the new one.',
    );
  await requireSameMigrations(database);
  if (await hasOther(database, selectIsBegunByOtherCode))
    throw new RebuildRefused(
      'The new read model was begun by another version, which makes other rows. Drop it: --drop-next.',
    );
  const { rows } = await database.query<{ cluster_id: string }>(selectForeignClusters, [clusterId]);
  if (rows[0])
    throw new RebuildRefused(
      `The read model was folded from another Kafka cluster (${rows[0].cluster_id}) than this one (${clusterId}).`,
    );
  await requireReadOnce(database);
  requireWholeTopics(ranges);
}

/** @throws RebuildRefused where a log ended before what was read of it: what is shown may be in no topic any more */
export async function requireReadOnce(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ topic: string; partition: number }>(selectReadAnew);
  if (rows.length === 0) return;
  throw new RebuildRefused(
    [
      'Topics ended before what was read of them, so the read model cannot be made again from them:',
      ...rows.map(({ topic, partition }) => `  ${topic}/${partition} is read from its beginning again`),
      'What they lack would not be shown any more. Make Kafka anew from Postgres. The present one is unchanged.',
    ].join('\n'),
  );
}

/** @throws RebuildRefused where records were deleted: what they told is in no topic any more */
export function requireWholeTopics(ranges: readonly PartitionRange[]): void {
  const cut = ranges.filter(({ first }) => first > 0n);
  if (cut.length === 0) return;
  throw new RebuildRefused(
    [
      'Topics do not begin with their first record any more, so the read model cannot be made again from them:',
      ...cut.map(({ topic, partition, first }) => `  ${topic}/${partition} begins at ${first}`),
      'Streams that began before would stand still in the new one. The present one is unchanged.',
    ].join('\n'),
  );
}

/** @throws RebuildRefused where one of the two has a migration that the other one lacks */
export async function requireSameMigrations(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ name: string }>(selectDifferentMigrations);
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new RebuildRefused(
    `Present and new read model are of different versions (${names}). Migrate the database; if a rebuild was begun before that, --drop-next.`,
  );
}

/** Whether rows that are read were made of events as another version of the projection makes them. */
export const isOfOtherCode = (database: Queryable): Promise<boolean> => hasOther(database, selectIsOfOtherCode);

async function hasOther(database: Queryable, text: string): Promise<boolean> {
  const { rows } = await database.query<{ other: boolean }>(text, [rowsCode]);
  return rows[0]?.other === true;
}

export async function exists(database: Queryable, schema: string): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>('select to_regnamespace($1) is not null as found', [
    schema,
  ]);
  return rows[0]?.found === true;
}
