import type { Clock } from '@paywright/platform';
import type { ReceivedMessage } from './message.ts';

/** How long its sender waits for a command: from `issuedAt` to `deadline`, both by the sender's clock in milliseconds. */
interface Awaited {
  readonly issuedAt: number;
  readonly deadline: number;
}

/** No two clocks run evenly. In a minute the difference is nothing; in days it is more than anybody waits. */
const turnMs = 60_000;

/** What a partition's messages showed of the clock of the broker that leads it, in milliseconds. */
interface Shown {
  /** When the last of them was appended. */
  newest: number;
  /** How far the broker's time is ahead of our steady one, at least: by what came since `since`, and in the turn before. */
  ahead: number;
  aheadBefore: number;
  since: number;
}

const nothingShown: Readonly<Shown> = {
  newest: -Infinity,
  ahead: -Infinity,
  aheadBefore: -Infinity,
  since: -Infinity,
};

/**
 * How late it is at least by the clock of the broker that appends to a partition: what it gave us last shows it, and the
 * time since then. No other clock has a part in it, neither ours nor a sender's nor another broker's: each may be off.
 */
export class BrokerTime {
  readonly #clock: Clock;
  /** By topic, then by partition. */
  readonly #shown = new Map<string, Map<number, Shown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Messages as they come, handled or not: behind an outage the newest fetched tells how old the first are. One that is
   * older than the one before it was appended by a clock that was set back, or is read again.
   */
  shownBy(messages: readonly ReceivedMessage[]): void {
    const now = this.#clock.steadyNow();
    for (const { topic, partition, timestamp } of messages) {
      const shown = this.#shownOf(topic, partition);
      const ahead = timestamp - now;
      if (timestamp < shown.newest) Object.assign(shown, nothingShown);
      if (now - shown.since >= turnMs) {
        shown.aheadBefore = now - shown.since < 2 * turnMs ? shown.ahead : -Infinity;
        shown.ahead = -Infinity;
        shown.since = now;
      }
      shown.ahead = Math.max(shown.ahead, ahead);
      shown.newest = timestamp;
    }
  }

  #shownOf(topic: string, partition: number): Shown {
    let partitions = this.#shown.get(topic);
    if (partitions === undefined) {
      partitions = new Map();
      this.#shown.set(topic, partitions);
    }
    let shown = partitions.get(partition);
    if (shown === undefined) {
      shown = { ...nothingShown };
      partitions.set(partition, shown);
    }
    return shown;
  }

  /** For how long, in milliseconds, the message has lain at the broker at least. */
  ageOf({ topic, partition, timestamp }: ReceivedMessage): number {
    const { ahead, aheadBefore } = this.#shown.get(topic)?.get(partition) ?? nothingShown;
    return Math.max(0, this.#clock.steadyNow() + Math.max(ahead, aheadBefore) - timestamp);
  }

  /** For how much longer, in milliseconds, the command's sender waits at most. Without any left nobody waits. */
  timeLeft({ issuedAt, deadline }: Awaited, message: ReceivedMessage): number {
    return deadline - issuedAt - this.ageOf(message);
  }
}
