import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@paywright/contracts';
import { connectToKafka, type Addresses } from '../stack/connect-to-kafka.ts';

const restMs = 60_000;
const groups = {
  profile: topics.profileCommands,
  selection: topics.selectionCommands,
  impression: topics.impressionCommands,
  purchase: topics.purchaseCommands,
  'purchase-requests': topics.purchaseRequests,
} as const;

/**
 * Resolves when every command that was ever sent has been handled.
 * @throws if they are not within a minute: I6
 */
export async function untilCommandsAreHandled(addresses: Addresses): Promise<void> {
  const admin = connectToKafka(addresses).client.admin();
  await admin.connect();
  try {
    for (const end = performance.now() + restMs; ; await sleep(200)) {
      const waiting: string[] = [];
      for (const [groupId, topic] of Object.entries(groups)) {
        const ends = new Map((await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => [partition, high]));
        const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
        const behind = committed?.partitions.some(
          ({ partition, offset }) => Math.max(0, Number(offset)) < Number(ends.get(partition) ?? 0),
        );
        if (behind) waiting.push(groupId);
      }
      if (waiting.length === 0) return;
      if (performance.now() > end) throw new Error(`commands of ${waiting.join(', ')} are not handled`);
    }
  } finally {
    await admin.disconnect();
  }
}
