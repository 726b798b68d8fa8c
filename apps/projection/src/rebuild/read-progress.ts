import { readRanges, type KafkaConnection } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import { followedTopics } from '../projections.ts';
import { selectNextOffsets } from './offsets.sql.ts';

/** How many records of all topics the next read model has folded in, and how many there are. */
export async function readProgress(
  database: Queryable,
  kafka: KafkaConnection,
): Promise<{ readonly done: number; readonly total: number }> {
  const [ranges, { rows }] = await Promise.all([
    readRanges(kafka, followedTopics),
    database.query<{ topic: string; partition: number; next_offset: string }>(selectNextOffsets),
  ]);
  const next = new Map(rows.map(({ topic, partition, next_offset }) => [`${topic}/${partition}`, BigInt(next_offset)]));
  let [done, total] = [0n, 0n];
  for (const { topic, partition, end } of ranges) {
    const offset = next.get(`${topic}/${partition}`) ?? 0n;
    done += offset < end ? offset : end;
    total += end;
  }
  return { done: Number(done), total: Number(total) };
}
