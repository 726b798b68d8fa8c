import type { Notification } from './notification.ts';

/** How long a question is waited for, by the machine's clock. A service that is started again is back by then. */
const longestMs = 20_000;
/** Where nobody has ever asked, there may be nobody. */
const firstMs = 2_000;
const shortestMs = 20;

/**
 * A notification of Play or Stripe says only that something changed; what, is asked for. Until it is, the time must
 * stand: who asks a month later is told of that month, and never hears of the payment in between.
 */
export class Questions {
  readonly #askedAt = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();
  /** By app and kind of notification: where nobody asks after them, nobody is waited for. */
  readonly #patience = new Map<string, number>();

  #isStopped = false;

  /** Nobody waits any longer. */
  stop(): void {
    this.#isStopped = true;
    for (const waiting of [...this.#waiting.values()]) for (const resolve of [...waiting]) resolve();
  }

  /** Somebody was told how the purchase stands. */
  asked(purchaseId: string): void {
    this.#askedAt.set(purchaseId, performance.now());
    for (const resolve of [...(this.#waiting.get(purchaseId) ?? [])]) resolve();
  }

  /**
   * Resolves when the purchase was asked after, or nobody does.
   * @param since by `performance.now()`
   * @param mostMs how long at most
   */
  async untilAsked({ appId, label, purchaseId }: Notification, since: number, mostMs: number): Promise<void> {
    if (this.#isStopped) return;
    const kind = `${appId} ${label}`;
    const patience = this.#patience.get(kind) ?? firstMs;
    const waitMs = Math.min(patience, mostMs);
    const isAsked = (this.#askedAt.get(purchaseId) ?? -1) >= since || (await this.#next(purchaseId, waitMs));
    if (isAsked) this.#patience.set(kind, longestMs);
    // Of many that wait side by side in vain, one makes the next ones wait less.
    else if (waitMs === patience && (this.#patience.get(kind) ?? firstMs) === patience)
      this.#patience.set(kind, Math.max(shortestMs, patience / 4));
  }

  #next(purchaseId: string, patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(purchaseId) ?? new Set();
      this.#waiting.set(purchaseId, waiting);
      const done = (isAsked: boolean) => {
        clearTimeout(timer);
        waiting.delete(come);
        if (waiting.size === 0) this.#waiting.delete(purchaseId);
        resolve(isAsked);
      };
      const come = () => done(true);
      const timer = setTimeout(() => done(false), patienceMs);
      waiting.add(come);
    });
  }
}
