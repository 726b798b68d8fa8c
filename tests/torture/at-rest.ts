import { topics } from '@paywright/contracts';
import { withAdmin, type Admin } from '@paywright/messaging/topics';
import { connectToKafka } from '../stack/connect-to-kafka.ts';
import type { Stack } from '../stack/stack.ts';
import { untilNone } from '../stack/until-none.ts';

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
  await withAdmin(connectToKafka(stack), (admin) =>
    untilNone(
      restMs,
      () => groupsBehind(admin),
      (waiting) => `commands of ${waiting} are not handled`,
    ),
  );
}

async function groupsBehind(admin: Admin): Promise<readonly string[]> {
  const waiting: string[] = [];
  for (const [groupId, topic] of Object.entries(groups)) {
    const ends = new Map((await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => [partition, high]));
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const behind = committed?.partitions.some(
      ({ partition, offset }) => Math.max(0, Number(offset)) < Number(ends.get(partition) ?? 0),
    );
    if (behind) waiting.push(groupId);
  }
  return waiting;
}

async function untilPosted({ managements }: Pick<Stack, 'managements'>): Promise<void> {
  const holding = async () => {
    const held = await Promise.all(managements.map(postedBy));
    return managements.filter((_, index) => held[index] !== 0);
  };
  await untilNone(restMs, holding, () => 'commands that were posted are held back from the broker');
}

/** How many commands a process holds until the broker has them. */
async function postedBy(management: string): Promise<number> {
  const metrics = await (await fetch(`${management}/metrics`)).text();
  return Number(/^messaging_posted_messages(?:\{.*\})? (\d+)$/m.exec(metrics)?.[1] ?? 0);
}
