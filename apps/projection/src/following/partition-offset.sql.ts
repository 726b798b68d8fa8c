/**
 * Makes the caller the owner of a partition: whoever was it before finds no row any more, and is fenced.
 * $1 projection, $2 topic, $3 partition, $4 id of the Kafka cluster. In another cluster the topic is another one:
 * it is read from its beginning, and the stream versions drop what is known.
 */
export const claimPartition = `
  insert into projection_offset (projection, topic, partition, next_offset, owner_epoch, cluster_id)
  values ($1, $2, $3, 0, 1, $4)
  on conflict (projection, topic, partition) do update
  set owner_epoch = projection_offset.owner_epoch + 1,
      next_offset = case projection_offset.cluster_id when excluded.cluster_id then projection_offset.next_offset else 0 end,
      cluster_id = excluded.cluster_id
  returning next_offset, owner_epoch`;

/** Locks the partition's row: its other writers wait. No row: fenced. $4 owner's epoch. */
export const lockOwnedOffset = `
  select next_offset from projection_offset
  where projection = $1 and topic = $2 and partition = $3 and owner_epoch = $4
  for update`;

/** The same for whoever is no owner and moves no offset. */
export const lockOffset = `
  select next_offset from projection_offset where projection = $1 and topic = $2 and partition = $3 for update`;

/** $4 the offset to read from next: it never falls. The row is locked by its owner. */
export const moveOffset = `
  update projection_offset set next_offset = greatest(next_offset, $4) where projection = $1 and topic = $2 and partition = $3`;

/** In the transaction, so that it is told when the rows can be seen, and never otherwise. $1 channel. */
export const notify = `select pg_notify($1, '')`;
