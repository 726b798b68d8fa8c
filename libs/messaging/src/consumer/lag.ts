import type { Admin } from 'kafkajs';
import { periodically, type Logger } from '@paywright/platform';
import type { PartitionStart, TopicPartition } from '../message.ts';
import type { MessagingMetrics } from '../messaging-metrics.ts';
import { laneOf } from './partition-control.ts';

const intervalMs = 10_000;

/**
 * Measures, every 10 s, how far the group's commits are behind the ends of the partitions that this member has. One that
 * ends before what was read of it was made anew, or has lost records: what comes now has offsets that pass for read.
 */
export class LagGauge {
  readonly #admin: Admin;
  readonly #group: string;
  readonly #metrics: MessagingMetrics;
  readonly #logger: Logger;
  #assigned: Readonly<Record<string, readonly number[]>> = {};
  /** By partition: the greatest offset before which all is known to be read. */
  readonly #readUntil = new Map<string, number>();
  readonly #truncated = new Set<string>();
  #stop: (() => Promise<void>) | undefined;

  constructor(admin: Admin, group: string, metrics: MessagingMetrics, logger: Logger) {
    this.#admin = admin;
    this.#group = group;
    this.#metrics = metrics;
    this.#logger = logger;
  }

  start(): void {
    const turn = () => this.#measure().then(() => false);
    this.#stop = periodically({ name: 'lag', pauseMs: intervalMs, turn }, this.#logger);
  }

  stop(): void {
    void this.#stop?.();
  }

  assigned(partitions: Readonly<Record<string, readonly number[]>>): void {
    this.#forget();
    this.#assigned = partitions;
  }

  /** Where a handler that keeps its offsets itself reads partitions from: it may have read them under other assignments. */
  readFrom(starts: readonly PartitionStart[]): void {
    for (const start of starts) this.#haveRead(start, Number(start.offset));
  }

  async #measure(): Promise<void> {
    const assigned = this.#assigned;
    try {
      for (const [topic, partitions] of Object.entries(assigned)) {
        const lags = await this.#lagsOf(topic, partitions);
        if (this.#assigned !== assigned) return; // what is another member's by now would stand here as it was
        for (const { partition, lag, ...ends } of lags) {
          this.#metrics.lag.set({ group: this.#group, topic, partition }, lag);
          this.#tellIfTruncated({ topic, partition }, ends);
        }
      }
    } catch {
      // The broker is away: the gauge keeps its value, and the consumer's own lines tell.
    }
  }

  async #lagsOf(topic: string, partitions: readonly number[]) {
    const [committed] = await this.#admin.fetchOffsets({ groupId: this.#group, topics: [topic] });
    const positions = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    const ends = await this.#admin.fetchTopicOffsets(topic);
    return ends.flatMap(({ partition, high, low }) => {
      if (!partitions.includes(partition)) return [];
      const committed = positions.get(partition) ?? -1;
      const end = Number(high);
      return [{ partition, committed, end, lag: end - Math.max(committed, Number(low)) }];
    });
  }

  /** Until the next assignment: once the log has grown beyond what was read, nothing shows it any more. */
  #tellIfTruncated(
    place: TopicPartition,
    { committed, end }: { readonly committed: number; readonly end: number },
  ): void {
    const readUntil = this.#haveRead(place, committed);
    if (end >= readUntil || this.#truncated.has(laneOf(place))) return;
    this.#truncated.add(laneOf(place));
    const { topic, partition } = place;
    this.#metrics.truncated.set({ group: this.#group, topic, partition }, 1);
    const fields = { group: this.#group, topic, partition, readUntil, end };
    this.#logger.error(fields, 'A partition ends before what was read of it: what is published there passes for read');
  }

  #haveRead(place: TopicPartition, offset: number): number {
    const readUntil = Math.max(offset, this.#readUntil.get(laneOf(place)) ?? 0);
    this.#readUntil.set(laneOf(place), readUntil);
    return readUntil;
  }

  #forget(): void {
    for (const [topic, partitions] of Object.entries(this.#assigned)) {
      for (const partition of partitions) {
        const labels = { group: this.#group, topic, partition };
        this.#metrics.lag.remove(labels);
        this.#metrics.truncated.remove(labels);
      }
    }
    this.#readUntil.clear();
    this.#truncated.clear();
  }
}
