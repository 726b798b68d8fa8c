import { Partitioners, type ConsumerConfig, type KafkaConfig, type ProducerConfig, type RetryOptions } from 'kafkajs';

/** Every value is written out: with NODE_ENV=test kafkajs takes other defaults, and tests would test another client. */
const retry: RetryOptions = { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 1_000, retries: 8 };

export const requestTimeoutMs = 5_000;

export const clientSettings: Pick<
  KafkaConfig,
  'connectionTimeout' | 'requestTimeout' | 'enforceRequestTimeout' | 'retry'
> = {
  connectionTimeout: 1_000,
  requestTimeout: requestTimeoutMs,
  enforceRequestTimeout: true,
  retry,
};

/**
 * The idempotent mode stays off: when a response is lost, it can acknowledge a message that the broker dropped.
 * kafkajs tries once; the coalescing producer repeats, so that it can drop what has expired and replace the client.
 */
export const producerSettings: ProducerConfig = {
  idempotent: false,
  maxInFlightRequests: 1,
  allowAutoTopicCreation: false,
  metadataMaxAge: 300_000,
  createPartitioner: Partitioners.DefaultPartitioner,
  retry: { ...retry, retries: 0 },
};

export const consumerSettings = {
  /** The broker's minimum. */
  sessionTimeout: 6_000,
  /** Messages of a leaving member wait one interval. */
  heartbeatInterval: 500,
  /** The replacement of a killed member waits this long. More than heartbeat interval and the longest eachBatch. */
  rebalanceTimeout: 4_000,
  /** Stop, resume and quiet partitions wait this long. */
  maxWaitTimeInMs: 500,
  minBytes: 1,
  maxBytesPerPartition: 1_048_576,
  maxBytes: 10_485_760,
  metadataMaxAge: 300_000,
  allowAutoTopicCreation: false,
  /** Endless: with few, a broker restart crashes the consumer, which returns as a new member and waits for its ghost. */
  retry: { ...retry, retries: 100_000 },
} as const satisfies Omit<ConsumerConfig, 'groupId'>;
