import { offsetAfter, type ReceivedMessage } from '../message.ts';

interface Progress {
  /** Received and not yet passed, in offset order. */
  readonly received: string[];
  readonly handled: Set<string>;
}

/** Where each partition of a topic may be committed while its messages are handled in any order. */
export class HandledOffsets {
  readonly #partitions = new Map<number, Progress>();

  received(partition: number, messages: readonly ReceivedMessage[]): void {
    let progress = this.#partitions.get(partition);
    if (!progress) this.#partitions.set(partition, (progress = { received: [], handled: new Set() }));
    for (const { offset } of messages) progress.received.push(offset);
  }

  /** @returns the offset behind all that is handled without a gap, if it moved; else null */
  handled(partition: number, messages: readonly ReceivedMessage[]): string | null {
    const progress = this.#partitions.get(partition);
    if (!progress) return null;
    const { received, handled } = progress;
    for (const { offset } of messages) handled.add(offset);
    const gap = received.findIndex((offset) => !handled.has(offset));
    const passed = received.splice(0, gap < 0 ? received.length : gap);
    for (const offset of passed) handled.delete(offset);
    const last = passed.at(-1);
    return last === undefined ? null : offsetAfter(last);
  }

  forget(): void {
    this.#partitions.clear();
  }
}
