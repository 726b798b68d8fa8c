import { periodically, type Logger } from '@paywright/platform';
import { describeError } from '../errors.ts';
import type { Rewind, TopicPartition } from '../message.ts';
import type { Assignment } from './assignment.ts';

/** Which of the partitions hold messages that were handled and are lost again. @returns where to read these from */
export type FindLost = (partitions: readonly TopicPartition[]) => Promise<readonly Rewind[]>;

const intervalMs = 5_000;

/** Asks every 5 s whether what was handled is still there. Where no message follows, nothing else would tell. */
export class LossChecks {
  readonly #findLost: FindLost | undefined;
  readonly #readFrom: (rewind: Rewind) => void;
  readonly #logger: Logger;
  #partitions: readonly TopicPartition[] = [];
  #assignment: Assignment | null = null;
  #stop: (() => Promise<void>) | undefined;

  constructor(findLost: FindLost | undefined, readFrom: (rewind: Rewind) => void, logger: Logger) {
    this.#findLost = findLost;
    this.#readFrom = readFrom;
    this.#logger = logger;
  }

  start(): void {
    const findLost = this.#findLost;
    if (findLost === undefined) return;
    const turn = () => this.#check(findLost).then(() => false);
    this.#stop = periodically({ name: 'loss checks', pauseMs: intervalMs, turn }, this.#logger);
  }

  stop(): void {
    void this.#stop?.();
  }

  /** What is asked about from now on, while the assignment lasts. */
  assigned(partitions: readonly TopicPartition[], assignment: Assignment): void {
    this.#partitions = partitions;
    this.#assignment = assignment;
  }

  async #check(findLost: FindLost): Promise<void> {
    const assignment = this.#assignment;
    if (assignment === null) return;
    try {
      const rewinds = await findLost(this.#partitions);
      if (assignment.isCurrent) for (const rewind of rewinds) this.#readFrom(rewind);
    } catch (error) {
      this.#logger.debug({ error: describeError(error) }, 'Nobody could say what is lost; it is asked again');
    }
  }
}
