import type { LoadGate } from './load-gate.ts';

const lookEveryMs = 20;

/**
 * Tells a gate how late the event loop is, while there is work: a process at rest is not woken.
 * @returns what is to be called when work begins
 */
export function watchLoopLag(gate: LoadGate): () => void {
  let watching = false;
  const look = () => {
    const due = performance.now() + lookEveryMs;
    setTimeout(() => {
      gate.lag(Math.max(0, performance.now() - due));
      watching = gate.inFlight > 0;
      if (watching) look();
    }, lookEveryMs).unref();
  };
  return () => {
    if (watching) return;
    watching = true;
    look();
  };
}
