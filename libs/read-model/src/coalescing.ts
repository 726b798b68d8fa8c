/**
 * A lookup whose concurrent calls go together: while one load is under way, arriving keys gather for the next.
 * @param load finds many keys at once; a key without entry is answered null
 * @returns looks up one key; rejects with what its load threw
 */
export function coalescing<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | null> {
  let waiting = new Map<Key, PromiseWithResolvers<Value | null>>();
  let loading = false;

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

  async function loadUntilNobodyWaits(): Promise<void> {
    while (waiting.size > 0) await loadWaiting();
    loading = false;
  }

  return (key) => {
    const asked = waiting.get(key) ?? Promise.withResolvers<Value | null>();
    waiting.set(key, asked);
    if (!loading) {
      loading = true;
      // The first one waits for the others that the same turn of the event loop brings.
      setImmediate(() => void loadUntilNobodyWaits());
    }
    return asked.promise;
  };
}
