let dropped = false;

/**
 * kafkajs arms timers with negative times, and Node 24 warns of each one: harmless, but the warning's stack trace
 * costs 2 to 3 % of a core when idle. Warnings of other names pass.
 */
export function dropNegativeTimeoutWarning(): void {
  if (dropped) return;
  dropped = true;
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (...details: readonly unknown[]): void => {
    if (kindOf(details[1]) !== 'TimeoutNegativeWarning') Reflect.apply(emitWarning, process, details);
  };
}

/** Node's own come as a second argument: the kind itself, or options that have it. */
const kindOf = (kind: unknown): unknown =>
  typeof kind === 'object' && kind !== null && 'type' in kind ? kind.type : kind;
