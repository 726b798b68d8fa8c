/** How long those who came meanwhile wait for a load before the next is begun beside it: one takes a few milliseconds. */
const usualPatienceMs = 100;
/** Under way at a time: two whose connections are dead, and one that gets through. */
const mostLoads = 3;

/**
 * A lookup whose concurrent calls go together: while one load is under way, arriving keys gather for the next. One that
 * takes long, as on a connection that died in silence, holds up only those that it was asked for.
 * @param load finds many keys at once; a key without entry is answered null
 * @returns looks up one key; rejects with what its load threw
 */
export function coalescing<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  { patienceMs = usualPatienceMs }: { readonly patienceMs?: number } = {},
): (key: Key) => Promise<Value | null> {
  let waiting = new Map<Key, PromiseWithResolvers<Value | null>>();
  let underWay = 0;
  /** Whether one is under way that is not late. */
  let oneIsInTime = false;

  async function loadWaiting(): Promise<void> {
    const batch = waiting;
    waiting = new Map();
    try {
      const found = await load([...batch.keys()]);
      for (const [key, { resolve }] of batch) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  function loadNext(): void {
    if (waiting.size === 0 || oneIsInTime || underWay === mostLoads) return;
    let isLate = false;
    const patience = setTimeout(() => {
      isLate = true;
      oneIsInTime = false;
      loadNext();
    }, patienceMs);
    oneIsInTime = true;
    underWay += 1;
    void loadWaiting().then(() => {
      clearTimeout(patience);
      underWay -= 1;
      if (!isLate) oneIsInTime = false;
      loadNext();
    });
  }

  return (key) => {
    // The first one waits for the others that the same turn of the event loop brings.
    if (waiting.size === 0) setImmediate(loadNext);
    const asked = waiting.get(key) ?? Promise.withResolvers<Value | null>();
    waiting.set(key, asked);
    return asked.promise;
  };
}
