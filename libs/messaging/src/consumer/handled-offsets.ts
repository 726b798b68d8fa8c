import { offsetAfter, type ReceivedMessage } from '../message.ts';

interface Progress {
  /** Received and not handled, in offset order. What is handled behind one of them is kept no longer. */
  readonly unhandled: Set<string>;
  /** Behind all that was received. */
  end: string;
  /** Where it may be committed. */
  position: string;
}

/** Where each partition of a topic may be committed while its messages are handled in any order. */
export class HandledOffsets {
  readonly #partitions = new Map<number, Progress>();

  /** @param messages in offset order, behind those of the call before */
  received(partition: number, messages: readonly ReceivedMessage[]): void {
    const [first] = messages;
    if (!first) return;
    let progress = this.#partitions.get(partition);
    if (!progress) {
      progress = { unhandled: new Set(), end: first.offset, position: first.offset };
      this.#partitions.set(partition, progress);
    }
    for (const { offset } of messages) progress.unhandled.add(offset);
    progress.end = offsetAfter(messages.at(-1)!.offset);
  }

  /** @returns the offset of the first message that is not handled, or behind all of them, if it moved; else null */
  handled(partition: number, messages: readonly ReceivedMessage[]): string | null {
    const progress = this.#partitions.get(partition);
    if (!progress) return null;
    for (const { offset } of messages) progress.unhandled.delete(offset);
    const [position = progress.end] = progress.unhandled;
    if (position === progress.position) return null;
    progress.position = position;
    return position;
  }

  forget(): void {
    this.#partitions.clear();
  }
}
