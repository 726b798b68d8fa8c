import { schemas } from './schemas.ts';

/** How far each partition of the one that is read has been read. */
export const selectShown = `select projection, topic, partition, next_offset from ${schemas.live}.projection_offset`;

/** How many records the partitions of the one that is read are ahead of those of the next one, in all. */
export const selectBehind = behind(`${schemas.live}.projection_offset live`);

/** The same of what it showed at a moment. $1 rows of `selectShown`, as JSON */
export const selectBehindShown = behind(
  `jsonb_to_recordset($1) live (projection text, topic text, partition int, next_offset bigint)`,
);

/** Where the next one is to be read on. */
export const selectNextOffsets = `select topic, partition, next_offset from ${schemas.next}.projection_offset`;

/**
 * Makes the place of each partition in the next one, read up to nowhere and owned by nobody. $1 projection, $2 topics and $3
 * partitions, $4 the cluster, $5 the code of the rows.
 */
export const beginOffsets = `
  insert into ${schemas.next}.projection_offset (projection, topic, partition, next_offset, owner_epoch, cluster_id, code)
  select $1, topic, partition, 0, 0, $4, $5::int from unnest($2::text[], $3::int[]) as place (topic, partition)
  on conflict do nothing`;

/** The table of the next one's offsets; none where it has not begun, or was by another code than $1. */
export const selectBegun = `select tableoid as table from ${schemas.next}.projection_offset where code = $1 limit 1`;

/** The schema that a table is in; none where it was dropped. $1 its object id. */
export const selectSchemaOf = `select relnamespace::regnamespace::text as schema from pg_class where oid = $1`;

/**
 * Waits for what is being folded into the next one, and lets nobody fold until the transaction ends. Whoever waits for that
 * looks the table up again then: under its name there is none behind a switch.
 */
export const lockFolders = `lock table ${schemas.next}.projection_offset in exclusive mode`;

/** Clusters that the one that is read was folded from. $1 the cluster at hand. */
export const selectForeignClusters = `
  select distinct cluster_id from ${schemas.live}.projection_offset where cluster_id <> $1`;

/** Partitions whose logs were shorter than what either of the two had read of them. */
export const selectReadAnew = `
  select distinct topic, partition from (
    select topic, partition, read_anew_at from ${schemas.live}.projection_offset
    union all
    select topic, partition, read_anew_at from ${schemas.next}.projection_offset
  ) read where read_anew_at is not null
  order by topic, partition`;

/** Whether the read model has rows of another code. $1 the code at hand. */
export const selectIsOfOtherCode = `
  select exists (select from ${schemas.live}.projection_offset where code <> $1 and next_offset > 0) as other`;

/** Whether the next one was begun by another code, whose processes may still fold. $1 the code at hand. */
export const selectIsBegunByOtherCode = `
  select exists (select from ${schemas.next}.projection_offset where code <> $1) as other`;

/** The projection goes on writing as the owner that it is: to the next one by then. */
export const adoptOwners = `
  update ${schemas.next}.projection_offset next set owner_epoch = live.owner_epoch
  from ${schemas.live}.projection_offset live
  where live.projection = next.projection and live.topic = next.topic and live.partition = next.partition`;

/** Migrations that one of the two has and the other has not, or has otherwise. */
export const selectDifferentMigrations = `
  select coalesce(live.migration_name, next.migration_name) as name
  from (select * from ${schemas.live}._prisma_migrations where finished_at is not null) live
  full join (select * from ${schemas.next}._prisma_migrations where finished_at is not null) next
    on next.migration_name = live.migration_name and next.checksum = live.checksum
  where live.migration_name is null or next.migration_name is null`;

function behind(live: string): string {
  return `
  select coalesce(sum(greatest(live.next_offset - coalesce(next.next_offset, 0), 0)), 0)::float8 as behind
  from ${live}
  left join ${schemas.next}.projection_offset next using (projection, topic, partition)`;
}
