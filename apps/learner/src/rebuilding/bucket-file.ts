import { randomUUID } from 'node:crypto';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

/** Text of a bucket that waits for more before it is written: with 512 buckets, 8 MB. */
const blockLength = 16_384;
const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

interface Block {
  readonly at: number;
  readonly length: number;
}

/**
 * Lines by bucket, on disk: each bucket is read as a whole, in the order in which it was written. The file has no name
 * from the start, so its room is free again when the process ends, however it ends.
 */
export class BucketFile {
  readonly #file: FileHandle;
  readonly #buckets: { waiting: string; readonly blocks: Block[] }[];
  #length = 0;

  private constructor(file: FileHandle, buckets: number) {
    this.#file = file;
    this.#buckets = Array.from({ length: buckets }, () => ({ waiting: '', blocks: [] }));
  }

  /** @param directory made if it is not there */
  static async open(directory: string, buckets: number): Promise<BucketFile> {
    await mkdir(directory, { recursive: true });
    const path = join(directory, `${randomUUID()}.buckets`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new BucketFile(file, buckets);
  }

  get buckets(): number {
    return this.#buckets.length;
  }

  /** What it takes of the disk, in bytes. */
  get length(): number {
    return this.#length;
  }

  /** @param line without a line break */
  async add(bucket: number, line: string): Promise<void> {
    const held = this.#of(bucket);
    held.waiting += `${line}\n`;
    if (held.waiting.length < blockLength) return;
    const { waiting } = held;
    held.waiting = '';
    const bytes = await pack(waiting, { level: 1 });
    held.blocks.push({ at: this.#length, length: bytes.length });
    this.#length += bytes.length;
    await this.#file.write(bytes, 0, bytes.length, this.#length - bytes.length);
  }

  async lines(bucket: number): Promise<readonly string[]> {
    const { blocks, waiting } = this.#of(bucket);
    const texts: string[] = [];
    for (const { at, length } of blocks) {
      const { buffer } = await this.#file.read(Buffer.alloc(length), 0, length, at);
      texts.push((await unpack(buffer)).toString());
    }
    return `${texts.join('')}${waiting}`.split('\n').slice(0, -1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  #of(bucket: number) {
    const held = this.#buckets[bucket];
    if (held === undefined) throw new RangeError('There is no such bucket.');
    return held;
  }
}
