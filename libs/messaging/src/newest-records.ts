import { type Logger, periodically } from '@paywright/platform';
import type { RecordWatcher } from './compacted-topic-reader.ts';
import type { OutgoingMessage } from './message.ts';

/** A `CompactedTopicReader` of these, which others may read by as well. */
export interface RecordReader<Value> {
  watch(watcher: RecordWatcher<Value>): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface NewestRecordsOptions<Value> {
  /** Compacted. */
  readonly topic: string;
  readonly reader: RecordReader<Value>;
  /** The version of its stream that a record tells: what is newer is greater. */
  readonly versionOf: (record: Value) => number;
  /** The stream that a key's records tell; null if they tell none. */
  readonly streamOf: (key: string) => string | null;
  /** Of the streams that are kept the newest, as the store has them. */
  readonly versions: (told: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** What tells the stream as the store has it. */
  readonly recordsOf: (stream: string) => Promise<readonly OutgoingMessage[]>;
  readonly publish: (records: readonly OutgoingMessage[]) => Promise<void>;
  readonly logger: Logger;
  readonly everyMs?: number | undefined;
}

const defaultEveryMs = 5_000;

/**
 * Keeps the last record of each stream its newest. An instance that was frozen, or cut off from the broker, may publish
 * what it had decided behind what took its place. Who has read both knows the newer one; but compaction keeps the last
 * record, whatever it tells, and who starts later would bring back what is past: a revoked key.
 */
export class NewestRecords<Value> {
  readonly #options: NewestRecordsOptions<Value>;
  /** That the last record of each stream tells. */
  readonly #versions = new Map<string, number>();
  #behind: ReadonlySet<string> = new Set();
  /** The versions of streams that had nothing to tell when they were to be told again. */
  readonly #untold = new Map<string, number>();
  #stop: (() => Promise<void>) | undefined;

  constructor(options: NewestRecordsOptions<Value>) {
    this.#options = options;
    options.reader.watch({
      onRecord: (key, record) => this.#take(key, record),
      onUnreadable: (key) => this.#take(key, null),
    });
  }

  /** Resolves once the topic is read. */
  async start(): Promise<void> {
    const { reader, topic, logger, everyMs = defaultEveryMs } = this.#options;
    await reader.start();
    this.#stop = periodically({ name: `newest of ${topic}`, pauseMs: everyMs, turn: () => this.#turn() }, logger);
  }

  async stop(): Promise<void> {
    await this.#stop?.();
    await this.#options.reader.stop();
  }

  #take(key: string, record: Value | null): void {
    const { streamOf, versionOf } = this.#options;
    const stream = streamOf(key);
    if (stream !== null) this.#versions.set(stream, record === null ? 0 : versionOf(record));
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
    const fields = { topic, stream, version };
    if (records.length > 0) {
      if ((this.#versions.get(stream) ?? 0) > 0)
        logger.warn(fields, 'The last record of a stream is not its newest, which is published again');
      else logger.info(fields, 'A stream of which the topic tells nothing is published again');
      return publish(records);
    }
    if (this.#untold.get(stream) === version) return;
    this.#untold.set(stream, version);
    logger.warn(fields, 'The last record of a stream is not its newest, and there is nothing to publish in its place');
  }
}
