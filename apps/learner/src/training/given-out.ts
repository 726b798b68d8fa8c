interface Given<Item> {
  readonly offset: bigint;
  readonly item: Item;
}

/**
 * What batches of partitions gave out, until it is known to be published: a batch whose publication failed comes again,
 * though nothing is learned from it twice, and gives it out again.
 */
export class GivenOut<Item> {
  readonly #byPartition = new Map<number, readonly Given<Item>[]>();

  /** A batch from this offset on is in hand: what earlier ones gave out was published, else they would have come again. */
  begin(partition: number, from: bigint): void {
    const left = this.#of(partition).filter(({ offset }) => offset >= from);
    if (left.length > 0) this.#byPartition.set(partition, left);
    else this.#byPartition.delete(partition);
  }

  /** @param offset of the last message that was taken */
  add(partition: number, offset: bigint, item: Item): void {
    this.#byPartition.set(partition, [...this.#of(partition), { offset, item }]);
  }

  /** @returns what is to be published with the batch in hand */
  itemsOf(partition: number): readonly Item[] {
    return this.#of(partition).map(({ item }) => item);
  }

  #of(partition: number): readonly Given<Item>[] {
    return this.#byPartition.get(partition) ?? [];
  }
}
