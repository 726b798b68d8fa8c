/**
 * One membership: from a join of the group to the next. Nothing that was begun under one may move offsets under
 * another, since its partitions may be someone else's by then.
 */
export class Assignment {
  readonly #ended = new AbortController();
  /** Aborted when work should no longer be repeated: the assignment ended, or the consumer stops. */
  readonly giveUp: AbortSignal;

  constructor(stopping: AbortSignal) {
    this.giveUp = AbortSignal.any([this.#ended.signal, stopping]);
  }

  get isCurrent(): boolean {
    return !this.#ended.signal.aborted;
  }

  end(): void {
    this.#ended.abort();
  }
}
