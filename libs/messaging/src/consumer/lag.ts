import type { Admin } from 'kafkajs';
import { periodically, type Logger } from '@paywright/platform';
import type { MessagingMetrics } from '../messaging-metrics.ts';

const intervalMs = 10_000;

/** Measures, every 10 s, how far the group's commits are behind the ends of the partitions that this member has. */
export class LagGauge {
  readonly #admin: Admin;
  readonly #group: string;
  readonly #metrics: MessagingMetrics;
  readonly #logger: Logger;
  #assigned: Readonly<Record<string, readonly number[]>> = {};
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

  async #measure(): Promise<void> {
    const assigned = this.#assigned;
    try {
      for (const [topic, partitions] of Object.entries(assigned)) {
        const lags = await this.#lagsOf(topic, partitions);
        if (this.#assigned !== assigned) return; // what is another member's by now would stand here as it was
        for (const { partition, lag } of lags) this.#metrics.lag.set({ group: this.#group, topic, partition }, lag);
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
      const position = Math.max(positions.get(partition) ?? -1, Number(low));
      return [{ partition, lag: Number(high) - position }];
    });
  }

  #forget(): void {
    for (const [topic, partitions] of Object.entries(this.#assigned))
      for (const partition of partitions) this.#metrics.lag.remove({ group: this.#group, topic, partition });
  }
}
