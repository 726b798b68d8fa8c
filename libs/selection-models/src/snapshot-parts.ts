import { createHash } from 'node:crypto';
import { topics } from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import { modelKey, type ModelName } from './model-key.ts';
import type { ModelRecord, SnapshotPart } from './model-record.ts';

/** What a record holds of a snapshot: brokers take a megabyte, and base64 is a third longer than the bytes. */
const partBytes = 675_000;

export interface PublishedSnapshot extends ModelName {
  readonly sha256: string;
  readonly learnedUntil: number;
  readonly bytes: Uint8Array;
}

/** The SHA-256 of bytes in hexadecimal: the same as the engine's `snapshotId`, by faster means. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A snapshot as records, each under a key of its own: compaction keeps the newest of every part. */
export function snapshotRecords(
  { bytes, ...named }: PublishedSnapshot,
  topic: string = topics.selectionModels,
): readonly OutgoingMessage[] {
  const parts = Math.max(1, Math.ceil(bytes.length / partBytes));
  return Array.from({ length: parts }, (_, part) => {
    const base64 = Buffer.from(bytes.subarray(part * partBytes, (part + 1) * partBytes)).toString('base64');
    const { appId, model, sha256, learnedUntil } = named;
    const record: ModelRecord = { kind: 'snapshot', appId, model, sha256, learnedUntil, part, parts, base64 };
    return { topic, key: `${modelKey(named)}/snapshot/${part}`, headers: {}, value: JSON.stringify(record) };
  });
}

/** The key of the model that a record of `selection.models` is a part of by its own key; null if it is none. */
export const modelKeyOfPart = (key: string): string | null => /^(.+)\/snapshot\/\d+$/.exec(key)?.[1] ?? null;

/** Puts snapshots together again, of parts as they come: one whose parts are not all of it yet is waited for. */
export class SnapshotParts {
  readonly #waiting = new Map<string, SnapshotPart[]>();

  /** @param key of the model whose parts were taken off the topic */
  forget(key: string): void {
    this.#waiting.delete(key);
  }

  /**
   * @returns the snapshot that this part completes, else null
   * @throws RangeError if the parts together are not what their name says
   */
  add(part: SnapshotPart): PublishedSnapshot | null {
    const key = modelKey(part);
    const known = (this.#waiting.get(key) ?? []).filter((one) => one.sha256 === part.sha256 && one.part !== part.part);
    const parts = [...known, part].sort((one, other) => one.part - other.part);
    if (parts.length < part.parts) {
      this.#waiting.set(key, parts);
      return null;
    }
    this.#waiting.delete(key);
    const bytes = Buffer.concat(parts.map(({ base64 }) => Buffer.from(base64, 'base64')));
    const { appId, model, sha256, learnedUntil } = part;
    if (sha256Of(bytes) !== sha256) throw new RangeError('The parts of a model are not what their name says.');
    return { appId, model, sha256, learnedUntil, bytes };
  }
}
