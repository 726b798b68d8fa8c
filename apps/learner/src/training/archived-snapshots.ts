import type { OutgoingMessage, RecordReader } from '@paywright/messaging';
import { modelKey, modelKeyOfPart, type ModelName } from '@paywright/selection-models';

export interface ArchivedSnapshotsOptions {
  /** Compacted. */
  readonly topic: string;
  readonly reader: RecordReader<unknown>;
  /** Those that this process trains: others' are taken off by whoever trains them. */
  readonly models: () => Iterable<ModelName>;
  readonly isArchived: (name: ModelName) => boolean;
  readonly publish: (records: readonly OutgoingMessage[]) => Promise<void>;
}

/**
 * Takes the snapshots of archived models off the topic: nobody serves them, and whoever serves would keep them in memory.
 * Whatever else is told of them, by a learner that was frozen or is of an older version, goes too.
 */
export class ArchivedSnapshots {
  readonly #options: ArchivedSnapshotsOptions;
  /** By model, the keys that the topic holds a part under: of a longer snapshot some that the newest one does not have. */
  readonly #keys = new Map<string, ReadonlySet<string>>();

  constructor(options: ArchivedSnapshotsOptions) {
    this.#options = options;
    options.reader.watch({
      onRecord: (key, record) => this.#take(key, record !== null),
      onUnreadable: (key) => this.#take(key, true),
    });
  }

  /** To be called every few seconds. */
  async turn(): Promise<boolean> {
    const { topic, models, isArchived, publish } = this.#options;
    const keys = [...models()].filter(isArchived).flatMap((name) => [...this.#keysOf(modelKey(name))]);
    if (keys.length > 0) await publish(keys.map((key) => ({ topic, key, headers: {}, value: null })));
    return false;
  }

  #take(key: string, isThere: boolean): void {
    const model = modelKeyOfPart(key);
    if (model === null) return;
    const others = [...this.#keysOf(model)].filter((one) => one !== key);
    this.#keys.set(model, new Set(isThere ? [...others, key] : others));
  }

  #keysOf(model: string): ReadonlySet<string> {
    return this.#keys.get(model) ?? new Set();
  }
}
