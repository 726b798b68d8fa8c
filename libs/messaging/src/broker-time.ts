import type { Clock } from '@paywright/platform';
import type { ReceivedMessage } from './message.ts';

/** How long its sender waits for a command: from `issuedAt` to `deadline`, both by the sender's clock in milliseconds. */
interface Awaited {
  readonly issuedAt: number;
  readonly deadline: number;
}

/**
 * How late it is at least by the clock of the brokers: what they gave us last shows it, and the time since then. Ours,
 * which may be hours off, has no part in it.
 */
export class BrokerTime {
  readonly #clock: Clock;
  /** How far the brokers' time is ahead of our steady one, at least. */
  #ahead = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Messages as they come, handled or not: behind an outage the newest fetched tells how old the first are. */
  shownBy(messages: readonly ReceivedMessage[]): void {
    const now = this.#clock.steadyNow();
    for (const { timestamp } of messages) this.#ahead = Math.max(this.#ahead, timestamp - now);
  }

  /** For how long, in milliseconds, the message has lain at the broker at least. */
  ageOf({ timestamp }: ReceivedMessage): number {
    return Math.max(0, this.#clock.steadyNow() + this.#ahead - timestamp);
  }

  /** Whether the command has lain at the broker for longer than its sender waits. */
  outlasted({ issuedAt, deadline }: Awaited, message: ReceivedMessage): boolean {
    return this.ageOf(message) > deadline - issuedAt;
  }
}
