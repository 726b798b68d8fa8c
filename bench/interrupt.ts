const undone: (() => Promise<void> | void)[] = [];
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Undoes something if the bench is ended by a signal: the last thing first, each in its turn.
 * @returns what forgets it, once it was undone in the usual way
 */
export function undoIfInterrupted(undo: () => Promise<void> | void): () => void {
  if (undone.length === 0) for (const signal of Object.keys(signals)) process.once(signal, end);
  undone.push(undo);
  return () => {
    const at = undone.indexOf(undo);
    if (at >= 0) undone.splice(at, 1);
    if (undone.length === 0) for (const signal of Object.keys(signals)) process.removeListener(signal, end);
  };
}

const end = (signal: keyof typeof signals): void => void undoAll(signal);

async function undoAll(signal: keyof typeof signals): Promise<void> {
  console.error(`\n${signal}: ending what was started …`);
  for (const undo of undone.toReversed()) {
    try {
      await undo();
    } catch (error) {
      console.error(error);
    }
  }
  process.exit(signals[signal]);
}
