import type { Consumer, PartitionAssigner } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { consumerSettings } from '../connection/client-settings.ts';
import { describeError } from '../errors.ts';

export interface ConsumerOptions {
  readonly kafka: KafkaConnection;
  readonly group: string;
  readonly assigner?: PartitionAssigner;
  /** What one fetch brings at most, in bytes, and of a partition an eighth of it; 10 and 1 MB if absent. */
  readonly mostBytes?: number | undefined;
  /** For how long a broker holds a fetch that finds nothing, and a reader that leaves waits; half a second if absent. */
  readonly mostWaitMs?: number | undefined;
  /** Called at every crash. `final`: kafkajs gave up, and the process would live on deaf. */
  readonly onCrash: (final: boolean) => void;
}

/** Ends the process: its supervisor starts it again. */
export const exitOnCrash = (): void => process.exit(1);

/** A consumer with our settings, whose crashes are seen. Disconnected, it stays so, also where it crashes in that moment. */
export function openConsumer(options: ConsumerOptions): Consumer {
  const { kafka, group, assigner, mostBytes, mostWaitMs, onCrash } = options;
  let isOver = false;
  const consumer = kafka.client.consumer({
    groupId: group,
    ...consumerSettings,
    retry: { ...consumerSettings.retry, restartOnFailure: async () => !isOver },
    ...(mostBytes !== undefined && fetchLimits(mostBytes)),
    ...(mostWaitMs !== undefined && { maxWaitTimeInMs: mostWaitMs }),
    ...(assigner && { partitionAssigners: [assigner] }),
  });
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    if (isOver) return;
    const fields = { group, error: describeError(error) };
    if (restart) kafka.logger.warn(fields, 'The consumer crashed and starts again');
    else kafka.logger.error(fields, 'The consumer crashed for good: the process ends');
    onCrash(!restart);
  });
  const disconnect = () => {
    isOver = true;
    return consumer.disconnect();
  };
  return { ...consumer, disconnect };
}

/** `mostWaitMs` of who reads what is there already, and leaves: nothing comes that would be worth a wait. */
export const readsOnceMs = 10;

/** kafkajs names the partitions in an order of chance, in which the broker fills the fetch: each gets its turn. */
const fetchLimits = (maxBytes: number) => ({ maxBytes, maxBytesPerPartition: Math.ceil(maxBytes / 8) });
