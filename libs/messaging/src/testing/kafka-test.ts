import { randomUUID } from 'node:crypto';
import { Metrics } from '@paywright/platform';
import type { Admin, ISocketFactory } from 'kafkajs';
import Encoder from 'kafkajs/src/protocol/encoder.js';
import { producerSettings } from '../connection/client-settings.ts';
import { createKafka, type KafkaConnection } from '../connection/kafka-connection.ts';
import { patiently } from '../connection/patiently.ts';
import type { OutgoingMessage, ReceivedMessage } from '../message.ts';
import { CoalescingProducer, type CoalescingProducerOptions } from '../producer/coalescing-producer.ts';
import { readTopic } from '../read-topic.ts';
import { makeTopics } from '../topics/make-topics.ts';
import { BrokerProxy } from './broker-proxy.ts';
import { loggerTo, type LogLine } from './logger.ts';

/**
 * A test's place on the real broker: its connection, metrics and topics of random names. What it opened is closed,
 * last first, and its topics are deleted in the end.
 */
export class KafkaTest {
  readonly logLines: LogLine[] = [];
  readonly logger = loggerTo(this.logLines);
  readonly metrics = new Metrics();
  readonly kafka: KafkaConnection;
  readonly brokers = (process.env['TEST_KAFKA_BROKERS'] ?? '').split(',');
  readonly #admin: Admin;
  readonly #topics: string[] = [];
  readonly #closers: (() => Promise<unknown>)[] = [];

  constructor() {
    this.kafka = this.connection();
    this.#admin = this.kafka.client.admin();
  }

  connection(socketFactory?: ISocketFactory): KafkaConnection {
    const { brokers, logger } = this;
    const options = { brokers, ssl: false, sasl: null, clientId: 'messaging-test', logger };
    return createKafka(socketFactory ? { ...options, socketFactory } : options);
  }

  /** @returns the new topic's name; nothing that is sent there is refused by a leader that does not know it yet, and so repeated */
  async topic(partitions = 1, config: Record<string, string> = {}, name = `test-${randomUUID()}`): Promise<string> {
    const configEntries = Object.entries({ 'message.timestamp.type': 'LogAppendTime', ...config });
    await this.#admin.connect();
    await makeTopics(this.#admin, [
      {
        topic: name,
        numPartitions: partitions,
        configEntries: configEntries.map(([key, value]) => ({ name: key, value })),
      },
    ]);
    await patiently(() => this.#admin.fetchTopicOffsets(name)); // asks each partition's leader
    this.#topics.push(name);
    return name;
  }

  /** Has a topic that something else made deleted at the end. */
  deletingTopic(name: string): void {
    this.#topics.push(name);
  }

  /** Deletes the records of partition 0 before the offset: the log then begins there. */
  async deleteRecords(topic: string, beforeOffset: number): Promise<void> {
    await this.#admin.connect();
    await this.#admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(beforeOffset) }] });
  }

  /** How many members a group has, as the broker sees it. */
  async membersOf(group: string): Promise<number> {
    await this.#admin.connect();
    const { groups } = await this.#admin.describeGroups([group]);
    return groups[0]?.members.length ?? 0;
  }

  async producer(options: Partial<CoalescingProducerOptions> = {}): Promise<CoalescingProducer> {
    const producer = new CoalescingProducer({ kafka: this.kafka, metrics: this.metrics, ...options });
    await producer.connect();
    this.closing(() => producer.close());
    return producer;
  }

  /** Sends a record whose header of that name has no value: others may write such, and kafkajs does not. */
  async sendWithoutValueOf(header: string, { topic, key, headers, value }: OutgoingMessage): Promise<void> {
    const producer = this.kafka.client.producer({ ...producerSettings });
    await producer.connect();
    const { writeVarIntBytes } = Encoder.prototype;
    const none = Buffer.alloc(0); // takes as much room as no value
    Encoder.prototype.writeVarIntBytes = function writeNone(bytes) {
      return writeVarIntBytes.call(this, bytes === none ? null : bytes);
    };
    try {
      const message = { value, headers: { ...headers, [header]: none }, ...(key !== undefined && { key }) };
      await producer.send({ topic, messages: [message] });
    } finally {
      Encoder.prototype.writeVarIntBytes = writeVarIntBytes;
      await producer.disconnect();
    }
  }

  /** A way to the broker that can be disturbed. */
  async brokerProxy(): Promise<BrokerProxy> {
    const proxy = new BrokerProxy(this.brokers[0] ?? '');
    await proxy.listen();
    this.closing(() => proxy.close());
    return proxy;
  }

  /** Has something closed at the end. */
  closing(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** Everything that a topic holds now. */
  async recordsOf(topic: string): Promise<ReceivedMessage[]> {
    const records: ReceivedMessage[] = [];
    await readTopic(this.kafka, topic, (message) => void records.push(message));
    return records;
  }

  /** The offset of the next record that the group will read of partition 0; -1 if nothing was committed. */
  async committedOffset(group: string, topic: string, partition = 0): Promise<number> {
    await this.#admin.connect();
    const [committed] = await this.#admin.fetchOffsets({ groupId: group, topics: [topic] });
    return Number(committed?.partitions.find((one) => one.partition === partition)?.offset ?? -1);
  }

  /** The sum of a metric over its labels; of a histogram, the count of observations. */
  async measured(name: string): Promise<number> {
    const metric = this.metrics.registry.getSingleMetric(name);
    const { values } = (await metric?.get()) ?? { values: [] };
    const counts = values.filter((value) => !('metricName' in value) || value.metricName === `${name}_count`);
    return (counts.length > 0 ? counts : values).reduce((sum, { value }) => sum + value, 0);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
    await this.#admin.connect();
    if (this.#topics.length > 0) await this.#admin.deleteTopics({ topics: this.#topics });
    await this.#admin.disconnect();
  }
}
