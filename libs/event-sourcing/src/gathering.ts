interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A function for one item, made of one for many: what arrives while a call is under way waits and goes together
 * in the next. So the busier it is, the fewer calls an item costs, and an idle one delays nothing.
 * @param run gives a result an item, in order; a throw rejects all of them
 * @param most items a call
 */
export function gathering<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  most: number,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let busy = false;

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const results = await run(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => resolve(results[index]!));
      } catch (error) {
        group.forEach(({ reject }) => reject(error));
      }
    }
    busy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (busy) return;
      busy = true;
      setImmediate(() => void runAll()); // what arrives in the same turn goes along
    });
}
