import type { TopicPartition } from '../message.ts';
import { laneOf, type PartitionControl } from './partition-control.ts';

interface BackpressureOptions {
  readonly control: Pick<PartitionControl, 'pause' | 'resume'>;
  /** What may wait in all, beside what one fetch brings. */
  readonly mostBytes: number;
  /** What waits of a partition. */
  readonly waitingBytes: (place: TopicPartition) => number;
  /** Told how many partitions are paused. */
  readonly onPaused: (count: number) => void;
}

/** Pauses each partition while as much of it waits as its share of what may. */
export class Backpressure {
  readonly #options: BackpressureOptions;
  readonly #full = new Set<string>();
  #laneBytes: number;

  constructor(options: BackpressureOptions) {
    this.#options = options;
    this.#laneBytes = options.mostBytes;
  }

  /** Shares what may wait among them, and lets them all be fetched: a pause outlives a rebalance. */
  assigned(partitions: readonly TopicPartition[]): void {
    if (this.#full.size > 0) this.#options.onPaused(0);
    this.#full.clear();
    this.#laneBytes = this.#options.mostBytes / Math.max(1, partitions.length);
    for (const partition of partitions) this.#options.control.resume(partition);
  }

  /** Call it where more waits than before. */
  pauseIfFull(place: TopicPartition): void {
    if (!this.#isFull(place)) return;
    this.#full.add(laneOf(place));
    this.#options.control.pause(place);
    this.#options.onPaused(this.#full.size);
  }

  /** Call it where less waits than before, or where it was paused for another reason that has passed. */
  resumeIfFree(place: TopicPartition): void {
    if (this.#isFull(place)) return;
    if (this.#full.delete(laneOf(place))) this.#options.onPaused(this.#full.size);
    this.#options.control.resume(place);
  }

  #isFull(place: TopicPartition): boolean {
    return this.#options.waitingBytes(place) >= this.#laneBytes;
  }
}
