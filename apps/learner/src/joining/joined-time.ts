import type { PartitionRange, TopicPartition } from '@paywright/messaging';
import type { Clock } from '@paywright/platform';
import type { Pool } from 'pg';
import { selectJoined } from '../sql/consumer-offset.sql.ts';

const defaultEndsEveryMs = 5_000;

export interface JoinedTimeOptions {
  readonly pool: Pool;
  readonly clusterId: string;
  /** All that is joined, whoever reads it. */
  readonly topics: readonly string[];
  /** All partitions of the topics, as the broker has them. */
  readonly ranges: () => Promise<readonly PartitionRange[]>;
  readonly clock: Clock;
  /** How often the broker is asked where its partitions end, 5 s if absent: so long time stands still where nothing happens. */
  readonly endsEveryMs?: number | undefined;
}

/** How far a partition is joined, by its row. */
interface Joined {
  readonly next: bigint;
  readonly until: number | null;
}

/** Where a partition ended: what was published before that time lies below that offset. */
interface End {
  readonly offset: bigint;
  readonly at: number;
}

/** What is known of a partition: where it is to be read to next, and when it ended where it has been read to. */
interface Known {
  /** How far it was joined when this was noted. */
  readonly next: bigint;
  readonly end: End | null;
  readonly readUntil: number | null;
}

const nothingJoined: Joined = { next: 0n, until: null };

/**
 * Until when everything is joined: the least of all partitions, whoever reads them and however far others are. Of a
 * partition that is the latest time of its events that were joined, or that of the next one while that waits; and the
 * time at which it ended where it has been read to, for one to which nothing comes must not hold time back.
 */
export class JoinedTime {
  readonly #options: JoinedTimeOptions;
  readonly #known = new Map<string, Known>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #until: number | null = null;

  constructor(options: JoinedTimeOptions) {
    this.#options = options;
  }

  /** In milliseconds since the epoch, never later than now; null as long as it is not known of some partition. */
  get until(): number | null {
    return this.#until;
  }

  async look(): Promise<void> {
    const { clock, endsEveryMs = defaultEndsEveryMs } = this.#options;
    const joined = await this.#joined();
    this.#forgetBegunAnew(joined);
    this.#noteReached(joined);
    if (clock.steadyNow() - this.#askedAt >= endsEveryMs) {
      await this.#askForEnds();
      this.#noteReached(joined);
    }
    const times = [...this.#known].map(([lane, { readUntil }]) => {
      const { until } = joined.get(lane) ?? nothingJoined;
      return Math.max(until ?? -Infinity, readUntil ?? -Infinity);
    });
    // A clock of one server may be ahead of another's: nothing is later than now.
    const least = Math.min(clock.now(), ...times);
    this.#until = least === -Infinity ? null : least;
  }

  async #joined(): Promise<ReadonlyMap<string, Joined>> {
    const { pool, clusterId, topics } = this.#options;
    const { rows } = await pool.query<TopicPartition & { next_offset: string; joined_until: Date | null }>(
      selectJoined,
      [clusterId, topics],
    );
    return new Map(
      rows.map((row) => [laneOf(row), { next: BigInt(row.next_offset), until: row.joined_until?.getTime() ?? null }]),
    );
  }

  /** What is read from its beginning again, after a longer log, is not read to where that one ended. */
  #forgetBegunAnew(joined: ReadonlyMap<string, Joined>): void {
    for (const [lane, known] of this.#known) {
      const { next } = joined.get(lane) ?? nothingJoined;
      this.#known.set(lane, next < known.next ? { next, end: null, readUntil: null } : { ...known, next });
    }
  }

  /** An end that is not reached yet stays the one to reach: behind one that goes on moving nobody would come. */
  async #askForEnds(): Promise<void> {
    const { ranges, clock } = this.#options;
    const at = clock.now();
    for (const { first, end, ...place } of await ranges()) {
      const known = this.#known.get(laneOf(place));
      // Of a partition that holds nothing there is nothing to read, wherever it ends.
      const offset = first === end ? 0n : end;
      // Where the clock was set back, what was read later than now was read by now.
      const readUntil = known && known.readUntil !== null ? Math.min(known.readUntil, at) : null;
      this.#known.set(laneOf(place), { next: known?.next ?? 0n, end: known?.end ?? { offset, at }, readUntil });
    }
    this.#askedAt = clock.steadyNow();
  }

  #noteReached(joined: ReadonlyMap<string, Joined>): void {
    for (const [lane, { end }] of this.#known) {
      const { next } = joined.get(lane) ?? nothingJoined;
      if (end !== null && next >= end.offset) this.#known.set(lane, { next, end: null, readUntil: end.at });
    }
  }
}

const laneOf = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`;
