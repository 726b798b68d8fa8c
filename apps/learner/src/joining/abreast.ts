import { eventTimeOf, type ReceivedMessage } from '@paywright/messaging';
import type { Clock } from '@paywright/platform';
import type { OwnedPartitions } from '../owned-partitions.ts';
import { hourMs } from './journey.ts';
import type { JoinedTime } from './joined-time.ts';

/** How far a partition is read ahead of what is joined of all: what waits for another one's events is no more than that. */
const aheadMs = hourMs;

export interface AbreastOptions {
  readonly partitions: Pick<OwnedPartitions, 'noteJoined'>;
  readonly joinedTime: Pick<JoinedTime, 'until'>;
  readonly clock: Clock;
}

/**
 * Keeps the partitions of all topics abreast where old events are read: one that is ahead of the others waits for them.
 * Of topics that are read months apart, decisions or views of all those months would wait in journeys, and a start would
 * go to the first exposure that comes, though the next one is the right one.
 */
export class Abreast {
  readonly #options: AbreastOptions;

  constructor(options: AbreastOptions) {
    this.#options = options;
  }

  /** Whether a message is to be joined now. As long as it is not known how far others are, none is. */
  isDue(message: ReceivedMessage): boolean {
    const { joinedTime, clock } = this.#options;
    const { until } = joinedTime;
    const time = eventTimeOf(message);
    // What a server says that was ahead of the others is not later than now.
    return time === null || (until !== null && Math.min(time, clock.now()) <= until + aheadMs);
  }

  /**
   * Tells all instances how far partitions are joined where there is a gap: until the message that waits. Without that a
   * partition would wait for itself.
   * @param waiting the first message of each partition that is not due
   */
  async tell(waiting: readonly ReceivedMessage[]): Promise<void> {
    const joined = waiting.map((message) => ({ ...message, until: eventTimeOf(message) ?? 0 }));
    if (joined.length > 0) await this.#options.partitions.noteJoined(joined);
  }
}
