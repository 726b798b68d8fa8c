import { uniform } from '@paywright/selection-engine';
import { stores, type Store } from './market.ts';

/** What goes wrong with a store's notifications, on the way of those that fall due on a day. */
export const disturbances = ['drop', 'double', 'delay', 'reorder'] as const;
export type Disturbance = (typeof disturbances)[number];

export interface Troubles {
  /** Answers nothing, for the whole day. */
  readonly shut: Store | null;
  readonly disturbed: readonly { readonly store: Store; readonly how: Disturbance; readonly count: number }[];
}

const disturbedDays = 0.3;
/** So long before a comparison nothing goes wrong: what was lost is found again by then. */
export const quietDays = 5;

/**
 * What goes wrong on a day. Each store is shut for one day of the year.
 * @param checkpoints days at whose end the books are compared
 */
export function troublesOf(seed: string, day: number, days: number, checkpoints: readonly number[]): Troubles {
  const isQuiet = checkpoints.some((checkpoint) => day <= checkpoint && day > checkpoint - quietDays);
  if (isQuiet) return { shut: null, disturbed: [] };
  const dice = (purpose: string): number => uniform(`${seed}/${day}`, purpose);
  const shut = stores.find((store) => shutDay(seed, store, days, checkpoints) === day) ?? null;
  const store = stores[Math.floor(dice('store') * stores.length)]!;
  const how = disturbances[Math.floor(dice('how') * disturbances.length)]!;
  const disturbed = dice('whether') < disturbedDays ? [{ store, how, count: 1 + Math.floor(dice('count') * 5) }] : [];
  return { shut, disturbed };
}

function shutDay(seed: string, store: Store, days: number, checkpoints: readonly number[]): number {
  const wanted = Math.floor(days * (0.1 + 0.6 * uniform(seed, `shut ${store}`)));
  const next = checkpoints.find((checkpoint) => wanted <= checkpoint && wanted > checkpoint - quietDays);
  return next === undefined ? wanted : next + 1;
}
