import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { patiently } from '../connection/patiently.ts';
import { readRanges } from '../read-ranges.ts';
import { withAdmin } from '../connection/with-admin.ts';

/** What stands in the way of whoever wants the topics for himself. */
export interface TopicUse {
  /** Topics that hold, or held, records. */
  readonly written: readonly string[];
  /** Consumer groups that have members. */
  readonly joined: readonly string[];
}

/** @throws if a topic does not exist */
export async function readTopicUse(
  kafka: KafkaConnection,
  topics: readonly string[],
  groups: readonly string[],
): Promise<TopicUse> {
  const [ranges, joined] = await Promise.all([readRanges(kafka, topics), groupsWithMembers(kafka, groups)]);
  const written = ranges.filter(({ end }) => end > 0n).map(({ topic }) => topic);
  return { written: [...new Set(written)], joined };
}

async function groupsWithMembers(kafka: KafkaConnection, names: readonly string[]): Promise<readonly string[]> {
  const { groups } = await withAdmin(kafka, (admin) => patiently(() => admin.describeGroups([...names])));
  return groups.filter(({ members }) => members.length > 0).map(({ groupId }) => groupId);
}
