import { withAdmin } from '@paywright/messaging/topics';
import { connectToKafka } from '../../stack/connect-to-kafka.ts';
import type { Stack } from '../../stack/stack.ts';
import { untilNone } from '../../stack/until-none.ts';

const restMs = 60_000;

/**
 * Resolves when every replica of every partition has all that was acknowledged, and the first of them leads, as before a
 * broker went: then the next one may go.
 * @throws if it is not so within a minute
 */
export async function untilInSync(stack: Pick<Stack, 'brokers'>): Promise<void> {
  await withAdmin(connectToKafka(stack), (admin) =>
    untilNone(
      restMs,
      async () => {
        const { topics } = await admin.fetchTopicMetadata();
        return topics.flatMap(({ name, partitions }) =>
          partitions
            .filter(({ isr, leader, replicas }) => isr.length < replicas.length || leader !== replicas[0])
            .map(({ partitionId }) => `${name}/${partitionId}`),
        );
      },
      (partitions) => `replicas of ${partitions} are not in sync or led astray`,
    ),
  );
}
