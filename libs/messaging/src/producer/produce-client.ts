import type { Message, Producer } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { producerSettings } from '../connection/client-settings.ts';
import type { OutgoingMessage } from '../message.ts';
import type { MessagingMetrics } from '../messaging-metrics.ts';
import { causeOf } from '../connection/kafka-error.ts';

const timeoutsInARowBeforeRecycling = 3;
/** Less than the request's own time-out, so that a broker that waits for its replicas can say so. */
const acknowledgementTimeoutMs = 4_000;

/** A kafkajs producer that is replaced when it times out again and again, as it does on a half-open socket. */
export class ProduceClient {
  readonly #connection: KafkaConnection;
  readonly #metrics: MessagingMetrics;
  readonly #idempotent: boolean;
  #producer: Producer;
  #isConnected = false;
  #timeoutsInARow = 0;

  /** @param idempotent the defect of that name; kafkajs then does its own retries */
  constructor(connection: KafkaConnection, metrics: MessagingMetrics, idempotent: boolean) {
    this.#connection = connection;
    this.#metrics = metrics;
    this.#idempotent = idempotent;
    this.#producer = this.#newProducer();
  }

  /** Does nothing once it is connected: kafkajs then opens again by itself what breaks. */
  async connect(): Promise<void> {
    if (this.#isConnected) return;
    await this.#producer.connect();
    this.#isConnected = true;
  }

  disconnect(): Promise<void> {
    return this.#producer.disconnect();
  }

  /**
   * Sends one request to each broker that leads one of the partitions, once.
   * @throws what kafkajs throws; then any part of the messages may be stored
   */
  async produce(messages: readonly OutgoingMessage[]): Promise<void> {
    try {
      // A replacement that found no broker is disconnected for good to kafkajs, until it is asked again.
      await this.connect();
      await this.#producer.sendBatch({
        acks: -1,
        timeout: acknowledgementTimeoutMs,
        topicMessages: byTopic(messages),
      });
      this.#timeoutsInARow = 0;
    } catch (error) {
      const timedOut = causeOf(error).name === 'KafkaJSRequestTimeoutError';
      this.#timeoutsInARow = timedOut ? this.#timeoutsInARow + 1 : 0;
      if (this.#timeoutsInARow >= timeoutsInARowBeforeRecycling) this.#recycle();
      throw error;
    }
  }

  /** The next request connects the new one. */
  #recycle(): void {
    this.#connection.logger.warn({}, 'The producer timed out again and again: it is replaced');
    this.#metrics.recycledProducers.inc();
    this.#timeoutsInARow = 0;
    const stale = this.#producer;
    this.#producer = this.#newProducer();
    this.#isConnected = false;
    // Not awaited: it waits for answers that may never come.
    void stale.disconnect().catch(() => undefined);
  }

  #newProducer(): Producer {
    const { retry, ...settings } = producerSettings;
    return this.#connection.client.producer(
      this.#idempotent
        ? { ...settings, idempotent: true, retry: { ...retry, retries: 8 } }
        : { ...settings, retry: { ...retry } },
    );
  }
}

function byTopic(messages: readonly OutgoingMessage[]): { topic: string; messages: Message[] }[] {
  const topics = new Map<string, Message[]>();
  for (const { topic, key, partition, headers, value } of messages) {
    const record: Message = { value, headers: { ...headers } };
    if (key !== undefined) record.key = key;
    if (partition !== undefined) record.partition = partition;
    const records = topics.get(topic);
    if (records) records.push(record);
    else topics.set(topic, [record]);
  }
  return [...topics].map(([topic, records]) => ({ topic, messages: records }));
}
