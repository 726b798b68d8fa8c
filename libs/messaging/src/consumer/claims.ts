import { waitBefore, type Logger } from '@paywright/platform';
import { infrastructureBackOff } from '../back-off.ts';
import { describeError } from '../errors.ts';
import type { Assignment } from './assignment.ts';
import type { PartitionStart, TopicPartition } from '../message.ts';
import { laneOf, type PartitionControl } from './partition-control.ts';

/**
 * Takes partitions over from whoever had them.
 * @param anew those of them that end before what was read of them, and are to be read from their beginning: offset 0
 * @returns where to read each of them from
 */
export type Claim = (
  partitions: readonly TopicPartition[],
  anew: readonly TopicPartition[],
) => Promise<readonly PartitionStart[]>;

/** Keeps assigned partitions unread until they are claimed. */
export class Claims {
  readonly #claim: Claim | undefined;
  readonly #control: Pick<PartitionControl, 'pause' | 'seek'>;
  readonly #logger: Logger;
  readonly #unclaimed = new Set<string>();
  /** Ends with the claim that is being made. */
  #turn: Promise<void> = Promise.resolve();

  constructor(claim: Claim | undefined, control: Pick<PartitionControl, 'pause' | 'seek'>, logger: Logger) {
    this.#claim = claim;
    this.#control = control;
    this.#logger = logger;
  }

  has(partition: TopicPartition): boolean {
    return !this.#unclaimed.has(laneOf(partition));
  }

  /**
   * Call it at once at an assignment. Claims again and again while the assignment lasts; never rejects. One after the
   * other: of two at a time the former assignment's could be the last, and end the claim of this one.
   */
  async claim(
    partitions: readonly TopicPartition[],
    assignment: Assignment,
    onClaimed: (start: PartitionStart) => void,
    anew: readonly TopicPartition[] = [],
  ): Promise<void> {
    const claim = this.#claim;
    if (claim === undefined) return;
    this.#unclaimed.clear();
    for (const partition of partitions) {
      this.#unclaimed.add(laneOf(partition));
      this.#control.pause(partition);
    }
    for (let attempt = 0; !assignment.giveUp.aborted; attempt++) {
      try {
        const starts = await this.#inTurn(() => (assignment.giveUp.aborted ? null : claim(partitions, anew)));
        if (starts === null || !assignment.isCurrent) return;
        for (const start of starts) this.#control.seek(start);
        this.#unclaimed.clear();
        return starts.forEach(onClaimed);
      } catch (error) {
        this.#logger.warn({ error: describeError(error) }, 'Partitions could not be claimed');
      }
      await waitBefore(attempt, infrastructureBackOff, assignment.giveUp);
    }
  }

  async #inTurn<T>(make: () => T | Promise<T>): Promise<T> {
    const former = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await former;
    try {
      return await make();
    } finally {
      resolve();
    }
  }
}
