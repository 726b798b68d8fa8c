import { compareHashes, hash64, onceById, type Hash64, type ShownRecord } from '@paywright/selection-engine';
import { BucketFile } from './bucket-file.ts';

const bucketBits = 9;

/**
 * Exposures that need not fit into memory, in the order that rebuilds need: by rising `hash64(seed, id)`. Each bucket
 * holds the hashes of a range, and one bucket at a time is in memory.
 */
export class ShuffledExposures {
  readonly #seed: string;
  readonly #file: BucketFile;

  private constructor(seed: string, file: BucketFile) {
    this.#seed = seed;
    this.#file = file;
  }

  static async open(directory: string, seed: string): Promise<ShuffledExposures> {
    return new ShuffledExposures(seed, await BucketFile.open(directory, 2 ** bucketBits));
  }

  /** What they take of the disk, in bytes. */
  get bytes(): number {
    return this.#file.length;
  }

  async add(record: ShownRecord): Promise<void> {
    await this.#file.add(this.#hashOf(record).high >>> (32 - bucketBits), JSON.stringify(record));
  }

  /** Each once: of an id that was added twice, the first one. */
  async *inOrder(): AsyncGenerator<readonly ShownRecord[]> {
    for (let bucket = 0; bucket < this.#file.buckets; bucket++) {
      const lines = await this.#file.lines(bucket);
      // Written by `add`.
      const records = onceById(lines.map((line) => JSON.parse(line) as ShownRecord));
      const hashed = records.map((record) => ({ record, hash: this.#hashOf(record) }));
      hashed.sort((one, other) => compareHashes(one.hash, other.hash) || (one.record.id < other.record.id ? -1 : 1));
      yield hashed.map(({ record }) => record);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]();
  }

  #hashOf({ id }: ShownRecord): Hash64 {
    return hash64(`${this.#seed}\0${id}`);
  }
}
