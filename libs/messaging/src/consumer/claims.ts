import { waitBefore, type Logger } from '@paywright/platform';
import { infrastructureBackOff } from '../back-off.ts';
import { describeError } from '../errors.ts';
import type { Assignment } from './assignment.ts';
import type { PartitionStart, TopicPartition } from '../message.ts';
import { laneOf, type PartitionControl } from './partition-control.ts';

/** Takes partitions over from whoever had them. @returns where to read each of them from */
export type Claim = (partitions: readonly TopicPartition[]) => Promise<readonly PartitionStart[]>;

/** Keeps assigned partitions unread until they are claimed. */
export class Claims {
  readonly #claim: Claim | undefined;
  readonly #control: PartitionControl;
  readonly #logger: Logger;
  readonly #unclaimed = new Set<string>();

  constructor(claim: Claim | undefined, control: PartitionControl, logger: Logger) {
    this.#claim = claim;
    this.#control = control;
    this.#logger = logger;
  }

  has(partition: TopicPartition): boolean {
    return !this.#unclaimed.has(laneOf(partition));
  }

  /** Call it at once at an assignment. Claims again and again while the assignment lasts; never rejects. */
  async claim(
    partitions: readonly TopicPartition[],
    assignment: Assignment,
    onClaimed: (partition: TopicPartition) => void,
  ): Promise<void> {
    if (!this.#claim) return;
    this.#unclaimed.clear();
    for (const partition of partitions) {
      this.#unclaimed.add(laneOf(partition));
      this.#control.pause(partition);
    }
    for (let attempt = 0; !assignment.giveUp.aborted; attempt++) {
      try {
        const starts = await this.#claim(partitions);
        if (!assignment.isCurrent) return;
        for (const start of starts) this.#control.seek(start);
        this.#unclaimed.clear();
        return partitions.forEach(onClaimed);
      } catch (error) {
        this.#logger.warn({ error: describeError(error) }, 'Partitions could not be claimed');
      }
      await waitBefore(attempt, infrastructureBackOff, assignment.giveUp);
    }
  }
}
