import type { Admin } from 'kafkajs';
import type { MessagingMetrics } from '../messaging-metrics.ts';

const intervalMs = 10_000;

/** Measures, every 10 s, how far the group's commits are behind the ends of the partitions that this member has. */
export class LagGauge {
  readonly #admin: Admin;
  readonly #group: string;
  readonly #metrics: MessagingMetrics;
  #assigned: Readonly<Record<string, readonly number[]>> = {};
  #timer: NodeJS.Timeout | undefined;
  #measuring = false;

  constructor(admin: Admin, group: string, metrics: MessagingMetrics) {
    this.#admin = admin;
    this.#group = group;
    this.#metrics = metrics;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#measure(), intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  assigned(partitions: Readonly<Record<string, readonly number[]>>): void {
    this.#forget();
    this.#assigned = partitions;
  }

  async #measure(): Promise<void> {
    if (this.#measuring) return;
    this.#measuring = true;
    try {
      for (const [topic, partitions] of Object.entries(this.#assigned)) await this.#measureTopic(topic, partitions);
    } catch {
      // The broker is away: the gauge keeps its value, and the consumer's own lines tell.
    } finally {
      this.#measuring = false;
    }
  }

  async #measureTopic(topic: string, partitions: readonly number[]): Promise<void> {
    const [committed] = await this.#admin.fetchOffsets({ groupId: this.#group, topics: [topic] });
    const positions = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    for (const { partition, high, low } of await this.#admin.fetchTopicOffsets(topic)) {
      if (!partitions.includes(partition)) continue;
      const position = Math.max(positions.get(partition) ?? -1, Number(low));
      this.#metrics.lag.set({ group: this.#group, topic, partition }, Number(high) - position);
    }
  }

  #forget(): void {
    for (const [topic, partitions] of Object.entries(this.#assigned))
      for (const partition of partitions) this.#metrics.lag.remove({ group: this.#group, topic, partition });
  }
}
