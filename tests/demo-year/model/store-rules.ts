import type { Store } from '../plan/market.ts';

/** How long a store waits for its money, and what it makes of a change: as the simulated stores are set. */
export interface StoreRules {
  /** With access, from the end of the paid period. */
  readonly graceDays: number;
  /** Without access, after the grace; 0: the subscription ends with its grace. */
  readonly retryDays: number;
  readonly pauseMonths: number;
  /** Whether the next period has begun, unpaid, while it waits; else the paid one stays the current one. */
  readonly billsAhead: boolean;
  /** The step in which it tells times, in milliseconds; what is between is cut off. */
  readonly stepMs: number;
}

export const storeRules: Readonly<Record<Store, StoreRules>> = {
  app_store: { graceDays: 16, retryDays: 44, pauseMonths: 0, billsAhead: false, stepMs: 1 },
  play_store: { graceDays: 7, retryDays: 30, pauseMonths: 1, billsAhead: false, stepMs: 1 },
  stripe: { graceDays: 21, retryDays: 0, pauseMonths: 0, billsAhead: true, stepMs: 1_000 },
};
