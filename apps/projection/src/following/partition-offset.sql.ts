/**
 * Makes the caller the owner of a partition: whoever was it before finds no row any more, and is fenced.
 * $1 projection, $2 topic, $3 partition, $4 id of the Kafka cluster, $5 code of the rows. In another cluster the topic is
 * another one: it is read from its beginning, and the stream versions drop what is known. So is one that is claimed anew
 * ($6), which is noted as long as it is the same cluster. The code stays that of the first. $7 the table that it is to be, if
 * not any: in another one of its name nothing is claimed, and there is no row.
 */
export const claimPartition = `
  insert into projection_offset (projection, topic, partition, next_offset, owner_epoch, cluster_id, code)
  select $1, $2, $3::int, 0, 1, $4, $5::int where $7::oid is null or to_regclass('projection_offset') = $7
  on conflict (projection, topic, partition) do update
  set owner_epoch = projection_offset.owner_epoch + 1,
      next_offset = case
        when projection_offset.cluster_id = excluded.cluster_id and not $6::boolean then projection_offset.next_offset
        else 0 end,
      read_anew_at = case
        when projection_offset.cluster_id <> excluded.cluster_id then null
        when $6::boolean then now()
        else projection_offset.read_anew_at end,
      cluster_id = excluded.cluster_id
  returning next_offset, owner_epoch`;

/**
 * Locks the rows of partitions: their other writers wait. A partition that the owner's epoch no longer has is absent.
 * $1 projection, $2 topic, $3 partitions, $4 owner's epoch of each, $5 the table that it is to be, if not any.
 */
export const lockOwnedOffsets = `
  select partition, next_offset from projection_offset
  where projection = $1 and topic = $2
    and (partition, owner_epoch) in (select * from unnest($3::int[], $4::int[]))
    and ($5::oid is null or tableoid = $5)
  order by partition
  for update`;

/** The same for whoever is no owner and moves no offset. $3 partitions. */
export const lockOffsets = `
  select partition, next_offset from projection_offset
  where projection = $1 and topic = $2 and partition = any($3::int[])
  order by partition
  for update`;

/** The offsets as they are, without waiting for those who move them. $3 partitions. */
export const selectOffsets = `
  select partition, next_offset from projection_offset
  where projection = $1 and topic = $2 and partition = any($3::int[])`;

/** $3 partitions, $4 the offset to read from next of each: it never falls. The rows are locked by their owner. */
export const moveOffsets = `
  update projection_offset
  set next_offset = greatest(projection_offset.next_offset, moved.next_offset)
  from unnest($3::int[], $4::bigint[]) as moved (partition, next_offset)
  where projection = $1 and topic = $2 and projection_offset.partition = moved.partition`;

/** In the transaction, so that it is told when the rows can be seen, and never otherwise. $1 channel, $2 texts. */
export const notify = `select pg_notify($1, text) from unnest($2::text[]) as text`;
