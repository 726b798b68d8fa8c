import { CompactedTopicReader, RangeReader, type KafkaConnection } from '@paywright/messaging';
import { Metrics } from '@paywright/platform';
import type { z } from 'zod';

interface TopicRecord<Value> {
  readonly key: string;
  readonly value: Value | null;
}

/** What a topic holds, read once and followed: whoever looks again and again does not read it anew each time. */
export class TopicCopy<Schema extends z.ZodType> implements AsyncDisposable {
  readonly #topic: string;
  readonly #reader: CompactedTopicReader<Schema>;
  readonly #ranges: RangeReader;
  readonly #records: TopicRecord<z.output<Schema>>[] = [];
  readonly #unreadable: string[] = [];
  #grown = Promise.withResolvers<void>();

  private constructor(kafka: KafkaConnection, topic: string, schema: Schema) {
    this.#topic = topic;
    this.#reader = new CompactedTopicReader({ kafka, topic, schema, metrics: new Metrics() });
    this.#reader.watch({
      onRecord: (key, value) => {
        this.#records.push({ key, value });
        this.#tellGrown();
      },
      onUnreadable: (key) => {
        this.#unreadable.push(key);
        this.#tellGrown();
      },
    });
    this.#ranges = new RangeReader(kafka, [topic]);
  }

  /** @param topic that loses no record: neither by compaction nor by its age */
  static async open<Schema extends z.ZodType>(
    kafka: KafkaConnection,
    topic: string,
    schema: Schema,
  ): Promise<TopicCopy<Schema>> {
    const copy = new TopicCopy(kafka, topic, schema);
    await Promise.all([copy.#reader.start(), copy.#ranges.start()]);
    return copy;
  }

  /** All records that the topic holds now, in order within each partition. @throws if one does not parse */
  async records(): Promise<readonly TopicRecord<z.output<Schema>>[]> {
    const ends = (await this.#ranges.read()).map(({ end }) => Number(end));
    const count = ends.reduce((sum, end) => sum + end, 0);
    while (this.#records.length + this.#unreadable.length < count) await this.#grown.promise;
    if (this.#unreadable.length > 0) throw new Error(`${this.#topic}: ${this.#unreadable.join()} does not parse.`);
    return this.#records.slice();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#reader.stop(), this.#ranges.stop()]);
  }

  #tellGrown(): void {
    this.#grown.resolve();
    this.#grown = Promise.withResolvers();
  }
}
