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
  /** What its data count: less than 1 since its arm's alarm rang, or its products changed. */
  weight: number;
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
  return { ...known, given: 0, weight: 1, starts: 0, delayBin: null, isCompared: false };
}

/** What counts of an exposure whose paywall sells other products by now, and for which arm. @param heirs see `ArmTable` */
export function passOn(exposure: WaitingExposure, heirs: readonly number[], share: number): void {
  for (const heir of heirs) {
    exposure.arm = heir;
    exposure.weight *= share;
  }
}
