import { setTimeout as sleep } from 'node:timers/promises';
import { connectToKafka } from '../../stack/connect-to-kafka.ts';
import type { Stack } from '../../stack/stack.ts';

const restMs = 60_000;

/**
 * Resolves when every replica of every partition has all that was acknowledged, and the first of them leads, as before a
 * broker went: then the next one may go.
 * @throws if it is not so within a minute
 */
export async function untilInSync(stack: Pick<Stack, 'brokers'>): Promise<void> {
  const admin = connectToKafka(stack).client.admin();
  await admin.connect();
  try {
    for (const end = performance.now() + restMs; ; await sleep(200)) {
      const { topics } = await admin.fetchTopicMetadata();
      const astray = topics.flatMap(({ name, partitions }) =>
        partitions
          .filter(({ isr, leader, replicas }) => isr.length < replicas.length || leader !== replicas[0])
          .map(({ partitionId }) => `${name}/${partitionId}`),
      );
      if (astray.length === 0) return;
      if (performance.now() > end) throw new Error(`replicas of ${astray.join(', ')} are not in sync or led astray`);
    }
  } finally {
    await admin.disconnect();
  }
}
