interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A function for one item, made of one for many: what arrives while a call is under way waits and goes together
 * in the next. So the busier it is, the fewer calls an item costs, and an idle one delays nothing.
 * @param run gives a result an item, in order; a throw rejects all of them
 * @param most weight a call, unless one item alone is heavier
 */
export function gathering<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  most: number,
  weigh: (item: Item) => number = () => 1,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let busy = false;

  function lightEnough(all: readonly Waiting<Item, Result>[]): number {
    let weight = 0;
    const tooMuch = all.findIndex(({ item }, index) => (weight += weigh(item)) > most && index > 0);
    return tooMuch < 0 ? all.length : tooMuch;
  }

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, lightEnough(waiting));
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
