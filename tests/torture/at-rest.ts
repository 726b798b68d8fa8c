import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@paywright/contracts';
import { connectToKafka } from '../stack/connect-to-kafka.ts';
import type { Stack } from '../stack/stack.ts';

const restMs = 60_000;
const groups = {
  profile: topics.profileCommands,
  selection: topics.selectionCommands,
  impression: topics.impressionCommands,
  purchase: topics.purchaseCommands,
  'purchase-requests': topics.purchaseRequests,
} as const;

/**
 * Resolves when every command that was ever sent has been handled, and so has every one that was posted: a client who
 * was served Baseline has its answer before the broker has the record of it.
 * @throws if they are not within a minute: I6
 */
export async function untilCommandsAreHandled(stack: Pick<Stack, 'brokers' | 'managements'>): Promise<void> {
  await untilPosted(stack);
  const admin = connectToKafka(stack).client.admin();
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

async function untilPosted({ managements }: Pick<Stack, 'managements'>): Promise<void> {
  for (const end = performance.now() + restMs; ; await sleep(200)) {
    const held = await Promise.all(managements.map(postedBy));
    if (held.every((count) => count === 0)) return;
    if (performance.now() > end) throw new Error('commands that were posted are held back from the broker');
  }
}

/** How many commands a process holds until the broker has them. */
async function postedBy(management: string): Promise<number> {
  const metrics = await (await fetch(`${management}/metrics`)).text();
  return Number(/^messaging_posted_messages(?:\{.*\})? (\d+)$/m.exec(metrics)?.[1] ?? 0);
}
