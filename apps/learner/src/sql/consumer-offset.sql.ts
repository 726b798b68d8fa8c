/** Whether a partition that is claimed has the records that were read of it. */
const isTheSame = `
  consumer_offset.cluster_id = excluded.cluster_id
  and (excluded.topic, excluded.partition, false) in (select * from unnest($1::text[], $2::int[], $4::boolean[]))`;

/**
 * Makes the caller the owner of partitions: whoever was it before finds no row any more. In another Kafka cluster a
 * topic is another one, and read from its beginning; so is a partition that is claimed anew.
 * $1 topics, $2 partitions, $3 id of the cluster, $4 whether each is claimed anew.
 */
export const claimPartitions = `
  insert into consumer_offset (topic, partition, next_offset, owner_epoch, cluster_id)
  select topic, partition, 0, 1, $3 from unnest($1::text[], $2::int[]) as claimed (topic, partition)
  order by topic, partition
  on conflict (topic, partition) do update
  set owner_epoch = consumer_offset.owner_epoch + 1,
      next_offset = case when ${isTheSame} then consumer_offset.next_offset else 0 end,
      joined_until = case when ${isTheSame} then consumer_offset.joined_until end,
      cluster_id = excluded.cluster_id
  returning topic, partition, next_offset, owner_epoch`;

/** Locks the rows of a topic's partitions, of which their owner's epoch is absent if it is not his any more. $3 epochs. */
export const lockOwned = `
  select partition, next_offset from consumer_offset
  where topic = $1 and (partition, owner_epoch) in (select * from unnest($2::int[], $3::int[]))
  order by partition
  for update`;

/**
 * $1 topic, $2 partitions, $3 the offset to read next of each, $4 the latest time of what was read of it, if that is
 * known.
 */
export const moveOffsets = `
  update consumer_offset
  set next_offset = moved.next_offset, joined_until = greatest(consumer_offset.joined_until, moved.joined_until)
  from unnest($2::int[], $3::bigint[], $4::timestamptz[]) as moved (partition, next_offset, joined_until)
  where topic = $1 and consumer_offset.partition = moved.partition`;

/**
 * Notes until when partitions are joined, of those that are still the caller's. In one order, so that two never wait
 * for each other. $1 topics, $2 partitions, $3 epochs, $4 times.
 */
export const noteJoined = `
  with noted as (
    select own.topic, own.partition, noted.joined_until
    from consumer_offset as own
    join unnest($1::text[], $2::int[], $3::int[], $4::timestamptz[]) as noted (topic, partition, owner_epoch, joined_until)
      using (topic, partition, owner_epoch)
    where own.joined_until is null or own.joined_until < noted.joined_until
    order by own.topic, own.partition
    for update of own
  )
  update consumer_offset set joined_until = greatest(consumer_offset.joined_until, noted.joined_until)
  from noted where consumer_offset.topic = noted.topic and consumer_offset.partition = noted.partition`;

/** $1 id of the cluster, $2 topics. */
export const selectJoined = `
  select topic, partition, next_offset, joined_until from consumer_offset where cluster_id = $1 and topic = any($2::text[])`;
