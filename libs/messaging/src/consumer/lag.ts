import type { Admin } from 'kafkajs';
import { periodically, type Logger } from '@paywright/platform';
import type { TopicPartition } from '../message.ts';
import type { MessagingMetrics } from '../messaging-metrics.ts';
import type { OffsetCommits } from './offset-commits.ts';
import { laneOf } from './partition-control.ts';

const intervalMs = 10_000;

/** For a group whose handler keeps its offsets itself, so that its commits say little of what was read. */
export interface Places {
  /** The offset to be read next; undefined as long as it is not known. */
  next(place: TopicPartition): bigint | undefined;
  /** Called where a partition ends before that. It may be read from elsewhere by then. */
  isShorter(place: TopicPartition, next: bigint): void;
}

export interface LagGaugeOptions {
  readonly admin: Admin;
  readonly group: string;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
  readonly commits?: Pick<OffsetCommits, 'acknowledged' | 'commitAgain'>;
  readonly places?: Places | undefined;
  /** Called where a partition holds nothing any more, and the group's commit is before its end, or there is none. */
  readonly onEmptied?: (place: TopicPartition, end: string) => void;
}

/**
 * Measures, every 10 s, how far the group's commits are behind the ends of the partitions that this member has. One that
 * ends before what was read of it was made anew, or has lost records: what comes now has offsets that were read. One that
 * begins behind the group's commit has deleted what nobody had handled: kafkajs goes on at its beginning without a word. And
 * where the group has less than its coordinator acknowledged, which was lost with it then, that is committed again.
 */
export class LagGauge {
  readonly #admin: Admin;
  readonly #group: string;
  readonly #metrics: MessagingMetrics;
  readonly #logger: Logger;
  readonly #commits: LagGaugeOptions['commits'];
  readonly #places: Places | undefined;
  readonly #onEmptied: LagGaugeOptions['onEmptied'];
  #assigned: Readonly<Record<string, readonly number[]>> = {};
  /** By partition: the greatest offset that was committed. */
  readonly #committed = new Map<string, bigint>();
  readonly #truncated = new Set<string>();
  /** By partition: until where it was told what is deleted unread. */
  readonly #deletedUntil = new Map<string, number>();
  #stop: (() => Promise<void>) | undefined;

  constructor({ admin, group, metrics, logger, commits, places, onEmptied }: LagGaugeOptions) {
    this.#admin = admin;
    this.#group = group;
    this.#metrics = metrics;
    this.#logger = logger;
    this.#commits = commits;
    this.#places = places;
    this.#onEmptied = onEmptied;
  }

  /**
   * Tells what was deleted unread of topics while nobody read them. Call it before the group is joined: with its first fetch
   * kafkajs forgets the commits. Never rejects.
   */
  async lookForDeleted(topics: readonly string[]): Promise<void> {
    if (this.#places) return;
    try {
      for (const topic of topics) await this.#lagsOf(topic, []);
    } catch {
      // The broker is away: as below.
    }
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

  /** Until the next assignment: once the log has grown beyond what was read, nothing shows it any more. */
  tellTruncated({ topic, partition }: TopicPartition, readUntil: string, end?: string): void {
    if (this.#truncated.has(laneOf({ topic, partition }))) return;
    this.#truncated.add(laneOf({ topic, partition }));
    this.#metrics.truncated.set({ group: this.#group, topic, partition }, 1);
    const fields = { group: this.#group, topic, partition, readUntil, end };
    this.#logger.error(fields, 'A partition ends before what was read of it: it is read from its beginning');
  }

  async #measure(): Promise<void> {
    const assigned = this.#assigned;
    try {
      for (const [topic, partitions] of Object.entries(assigned)) {
        const lags = await this.#lagsOf(topic, partitions);
        if (this.#assigned !== assigned) return; // what is another member's by now would stand here as it was
        for (const { partition, lag, end, readUntil } of lags) {
          const place = { topic, partition };
          this.#metrics.lag.set({ group: this.#group, ...place }, lag);
          if (readUntil === undefined || BigInt(end) >= readUntil) continue;
          this.tellTruncated(place, String(readUntil), end);
          this.#places?.isShorter(place, readUntil);
        }
      }
    } catch {
      // The broker is away: the gauge keeps its value, and the consumer's own lines tell.
    }
  }

  async #lagsOf(topic: string, partitions: readonly number[]) {
    // Before the group is asked: what is acknowledged meanwhile its answer may lack.
    const acknowledged = partitions.map((partition) => this.#commits?.acknowledged({ topic, partition }));
    const [committed] = await this.#admin.fetchOffsets({ groupId: this.#group, topics: [topic] });
    const positions = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    for (const [index, partition] of partitions.entries())
      if ((acknowledged[index] ?? -1n) > (positions.get(partition) ?? -1))
        this.#commits?.commitAgain({ topic, partition });
    // Asked before the ends: what is read meanwhile may well lie behind them.
    const readUntil = new Map(
      partitions.map((partition) => [partition, this.#readUntil({ topic, partition }, positions.get(partition))]),
    );
    const ends = await this.#admin.fetchTopicOffsets(topic);
    if (!this.#places) for (const { partition, low } of ends) this.#tellDeleted({ topic, partition }, positions, low);
    return ends.flatMap(({ partition, high: end, low }) => {
      if (!partitions.includes(partition)) return [];
      const committed = positions.get(partition) ?? -1;
      const lag = Number(end) - Math.max(committed, Number(low));
      if (low === end && end !== '0' && committed < Number(end)) this.#onEmptied?.({ topic, partition }, end);
      return [{ partition, end, lag, readUntil: readUntil.get(partition) }];
    });
  }

  /** Whose commit is negative has handled nothing yet, or was told. */
  #tellDeleted({ topic, partition }: TopicPartition, positions: ReadonlyMap<number, number>, low: string): void {
    const committed = positions.get(partition) ?? -1;
    const lane = laneOf({ topic, partition });
    const from = Math.max(committed, this.#deletedUntil.get(lane) ?? 0);
    const messages = Number(low) - from;
    if (committed < 0 || messages <= 0) return;
    this.#deletedUntil.set(lane, Number(low));
    this.#metrics.deletedUnread.inc({ group: this.#group, topic }, messages);
    const fields = { group: this.#group, topic, partition, from, messages };
    this.#logger.error(fields, 'Messages were deleted before they were handled: the topic keeps them no longer');
  }

  #readUntil(place: TopicPartition, committed = -1): bigint | undefined {
    if (this.#places) return this.#places.next(place);
    const before = this.#committed.get(laneOf(place)) ?? 0n;
    const readUntil = BigInt(committed) > before ? BigInt(committed) : before;
    this.#committed.set(laneOf(place), readUntil);
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
    this.#committed.clear();
    this.#truncated.clear();
  }
}
