import { type Logger, type Metrics, periodically } from '@paywright/platform';
import type { z } from 'zod';
import { CompactedTopicReader } from './compacted-topic-reader.ts';
import type { KafkaConnection } from './connection/kafka-connection.ts';
import type { OutgoingMessage } from './message.ts';

export interface NewestRecordsOptions<Schema extends z.ZodType> {
  readonly kafka: KafkaConnection;
  /** Compacted. */
  readonly topic: string;
  /** Of what a record is looked at for. */
  readonly schema: Schema;
  /** The version of its stream that a record tells: what is newer is greater. */
  readonly versionOf: (record: z.output<Schema>) => number;
  /** The stream that a key's records tell; null if they tell none. */
  readonly streamOf: (key: string) => string | null;
  /** Of the streams that are kept the newest, as the store has them. */
  readonly versions: (told: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** What tells the stream as the store has it. */
  readonly recordsOf: (stream: string) => Promise<readonly OutgoingMessage[]>;
  readonly publish: (records: readonly OutgoingMessage[]) => Promise<void>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly everyMs?: number;
}

const defaultEveryMs = 5_000;

/**
 * Keeps the last record of each stream its newest. An instance that was frozen, or cut off from the broker, may publish
 * what it had decided behind what took its place. Who has read both knows the newer one; but compaction keeps the last
 * record, whatever it tells, and who starts later would bring back what is past: a revoked key.
 */
export class NewestRecords<Schema extends z.ZodType> {
  readonly #options: NewestRecordsOptions<Schema>;
  readonly #reader: CompactedTopicReader<Schema>;
  /** That the last record of each stream tells. */
  readonly #versions = new Map<string, number>();
  #behind: ReadonlySet<string> = new Set();
  /** The versions of streams that had nothing to tell when they were to be told again. */
  readonly #untold = new Map<string, number>();
  #stop: (() => Promise<void>) | undefined;

  constructor(options: NewestRecordsOptions<Schema>) {
    const { kafka, topic, schema, streamOf, versionOf, metrics } = options;
    this.#options = options;
    this.#reader = new CompactedTopicReader({
      kafka,
      topic,
      metrics,
      schema,
      isWanted: (key) => streamOf(key) !== null,
      onRecord: (key, record) => this.#take(key, record === null ? 0 : versionOf(record)),
      onUnreadable: (key) => this.#take(key, 0),
    });
  }

  /** Resolves once the topic is read. */
  async start(): Promise<void> {
    await this.#reader.start();
    const { topic, logger, everyMs = defaultEveryMs } = this.#options;
    this.#stop = periodically({ name: `newest of ${topic}`, pauseMs: everyMs, turn: () => this.#turn() }, logger);
  }

  async stop(): Promise<void> {
    await this.#stop?.();
    await this.#reader.stop();
  }

  #take(key: string, version: number): void {
    const stream = this.#options.streamOf(key);
    if (stream !== null) this.#versions.set(stream, version);
  }

  async #turn(): Promise<boolean> {
    const { versions } = this.#options;
    const behind = new Set<string>();
    for (const [stream, version] of await versions([...this.#versions.keys()])) {
      if ((this.#versions.get(stream) ?? 0) >= version) continue;
      behind.add(stream);
      if (!this.#behind.has(stream)) continue; // the newest record is on its way
      await this.#tell(stream, version);
    }
    this.#behind = behind;
    return false;
  }

  async #tell(stream: string, version: number): Promise<void> {
    const { topic, recordsOf, publish, logger } = this.#options;
    const records = await recordsOf(stream);
    if (records.length > 0) {
      logger.warn(
        { topic, stream, version },
        'The last record of a stream is not its newest, which is published again',
      );
      return publish(records);
    }
    if (this.#untold.get(stream) === version) return;
    this.#untold.set(stream, version);
    logger.warn(
      { topic, stream, version },
      'The last record of a stream is not its newest, and there is nothing to publish in its place',
    );
  }
}
