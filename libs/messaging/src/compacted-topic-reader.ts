import type { HealthCheck, Metrics } from '@paywright/platform';
import type { z } from 'zod';
import type { KafkaConnection } from './connection/kafka-connection.ts';
import { PrivateReader } from './consumer/private-reader.ts';
import type { ReceivedMessage } from './message.ts';
import { messagingMetrics, type MessagingMetrics } from './messaging-metrics.ts';

/** Is told of a topic's records as they are read. */
export interface RecordWatcher<Value> {
  /** A key's newer value, or null when the key is deleted. A key may come several times: the last one counts. */
  readonly onRecord: (key: string, value: Value | null) => void;
  /** A record that does not parse: it is the key's last one now. */
  readonly onUnreadable?: (key: string) => void;
}

export interface CompactedTopicReaderOptions<Schema extends z.ZodType> {
  readonly kafka: KafkaConnection;
  readonly topic: string;
  readonly schema: Schema;
  /** The keys of which something is wanted: all, if left out. Records of others are not even parsed. */
  readonly isWanted?: (key: string) => boolean;
  readonly onRecord?: RecordWatcher<z.output<Schema>>['onRecord'];
  readonly metrics: Metrics;
}

/**
 * Keeps a process's copy of a compacted topic: all of it from the beginning, then every change. A record that does
 * not parse is counted, logged and skipped: the copy keeps the key's former value.
 */
export class CompactedTopicReader<Schema extends z.ZodType> implements HealthCheck {
  readonly name: string;
  readonly #options: CompactedTopicReaderOptions<Schema>;
  readonly #reader: PrivateReader;
  readonly #metrics: MessagingMetrics;
  /** In the order in which they are told: what throws keeps a record from those behind it. */
  readonly #watchers: RecordWatcher<z.output<Schema>>[] = [];
  #started: Promise<void> | undefined;
  #complete = false;

  constructor(options: CompactedTopicReaderOptions<Schema>) {
    const { kafka, topic, onRecord } = options;
    this.#options = options;
    if (onRecord) this.#watchers.push({ onRecord });
    this.name = `reader of ${topic}`;
    this.#metrics = messagingMetrics(options.metrics);
    this.#reader = new PrivateReader({
      kafka,
      topic,
      groupPrefix: `read-${topic}`,
      from: 'beginning',
      onMessage: (message) => this.#take(message),
    });
  }

  /** Tells another of what is read, before the others. Not behind the start: what was read then, it is not told. */
  watch(watcher: RecordWatcher<z.output<Schema>>): void {
    this.#watchers.unshift(watcher);
  }

  /** Resolves once everything that the topic held at the start has been told, whoever has started it. */
  start(): Promise<void> {
    return (this.#started ??= this.#read());
  }

  async #read(): Promise<void> {
    await this.#reader.start();
    await this.#reader.readToEnd();
    this.#complete = true;
  }

  ready(): boolean | string {
    return (this.#complete && this.#reader.isJoined) || 'the topic is not read to its end';
  }

  stop(): Promise<void> {
    return this.#reader.stop();
  }

  #take({ topic, partition, offset, key, value }: ReceivedMessage): void {
    const { isWanted = () => true } = this.#options;
    if (key !== null && !isWanted(key)) return;
    const record = key === null ? undefined : value === null ? null : this.#parse(value);
    if (key !== null && record !== undefined) return this.#watchers.forEach(({ onRecord }) => onRecord(key, record));
    if (key !== null) for (const { onUnreadable } of this.#watchers) onUnreadable?.(key);
    this.#metrics.skippedRecords.inc({ topic });
    this.#options.kafka.logger.error({ topic, partition, offset }, 'A record does not parse: it is skipped');
  }

  #parse(value: Buffer): z.output<Schema> | undefined {
    try {
      return this.#options.schema.safeParse(JSON.parse(value.toString())).data;
    } catch {
      return undefined;
    }
  }
}
