import { placesOf } from '../learning/exposure-history.ts';
import type { ShownRecord, Side } from './learning-record.ts';

/** An exposure on its way through the ages at which more of it counts. */
export interface WaitingExposure {
  readonly at: number;
  /** When the log had it: ages count from there, so that they come in one order. Until the next tick it may be later. */
  arrivedAt: number;
  arm: number;
  /** By group: the place of its value among the group's columns, from 1; 0 for none. */
  readonly places: Uint16Array;
  readonly side: Side;
  readonly share: number;
  readonly logValue: number | null;
  /** Its starts within a day, as the model predicted before anything was learned of it. */
  predicted: number;
  /** The share of it that counts where promises are judged. */
  given: number;
  /** How often its arm's alarm rang since, or its products changed: see `weightOf`. */
  discounts: number;
  starts: number;
  /** How late its first start came, null without one: see `delayBin`. */
  delayBin: number | null;
  /** Whether AI and Baseline are compared with it: from the age of 24 h on. */
  isCompared: boolean;
}

/** One that is not kept yet. */
export interface NewExposure extends WaitingExposure {
  readonly id: string;
}

/** @param active its columns. @param placeOf of every column: its place among its group's, from 1 */
export function waiting(
  { id, at, side, share, logValue }: Omit<ShownRecord, 'type'>,
  arrivedAt: number,
  arm: number,
  active: Int32Array,
  placeOf: ArrayLike<number>,
  predicted: number,
): NewExposure {
  const known = { id, at, arrivedAt, arm, places: placesOf(active, placeOf), side, share, logValue, predicted };
  return { ...known, given: 0, discounts: 0, starts: 0, delayBin: null, isCompared: false };
}

/** What is left of an arm's data when its alarm rings, or its products change. */
export const remembered = 0.1;
/** More would leave nothing either. */
const mostDiscounts = 255;
const weights = new Float64Array(1 + mostDiscounts).fill(1);
for (let discounts = 1; discounts <= mostDiscounts; discounts++)
  weights[discounts] = remembered * weights[discounts - 1]!;

/** What the data of an exposure count that was discounted so often. */
export const weightAfter = (discounts: number): number => weights[discounts]!;

/** What the data of an exposure count. */
export const weightOf = ({ discounts }: Pick<WaitingExposure, 'discounts'>): number => weightAfter(discounts);

export function discount(exposure: WaitingExposure): void {
  if (exposure.discounts < mostDiscounts) exposure.discounts++;
}

/** What counts of an exposure whose paywall sells other products by now, and for which arm. @param heirs see `ArmTable` */
export function passOn(exposure: WaitingExposure, heirs: readonly number[]): void {
  for (const heir of heirs) {
    exposure.arm = heir;
    discount(exposure);
  }
}
