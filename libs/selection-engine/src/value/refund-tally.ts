import type { LedgerRow } from './ledger-row.ts';

/** Stores give money back for about so many days. What comes later counts as if it came on the last one. */
export const refundableDays = 32;

/** By day: of charges that were not given back before, the share that is. */
export type RefundHazards = readonly number[];

/**
 * How charges fared, day by day: young ones tell of the days that they have behind them, and no more. Counted as a whole,
 * the young would all seem to be kept.
 */
export class RefundTally {
  /** By the days for which they were seen to be kept: charges that are kept so far. */
  readonly #kept = new Array<number>(refundableDays + 1).fill(0);
  /** By day: charges that were given back on it. */
  readonly #givenBack = new Array<number>(refundableDays).fill(0);

  count({ payments, refunds, refundable = [], refundedAfter = [] }: LedgerRow): void {
    this.#kept[refundableDays]! += Math.max(0, payments - refunds - refundable.length);
    for (const { days } of refundable) this.#kept[dayOf(days)]!++;
    for (let index = 0; index < refunds; index++)
      this.#givenBack[Math.min(refundableDays - 1, dayOf(refundedAfter[index] ?? 0))]!++;
  }

  /** Drawn to others as if so many charges more had fared as those did. */
  hazards(others: RefundHazards, pseudoCharges: number): RefundHazards {
    let open = this.#kept[refundableDays]!;
    const hazards: number[] = [];
    for (let day = refundableDays - 1; day >= 0; day--) {
      const givenBack = this.#givenBack[day]!;
      open += givenBack;
      hazards[day] = (givenBack + pseudoCharges * others[day]!) / (open + pseudoCharges);
      open += this.#kept[day]!;
    }
    return hazards;
  }

  /** As many charges as those whose fate is known, where a charge counts as far as it would be known by now. */
  resolved(later: readonly number[]): { readonly yes: number; readonly no: number } {
    const yes = this.#givenBack.reduce((sum, count) => sum + count, 0);
    const no = this.#kept.reduce((sum, count, day) => sum + count * (1 - later[day]! / later[0]!), 0);
    return { yes, no };
  }
}

/** By the days behind a charge that is kept so far: the chance that it is given back yet. 0 at the last. */
export function givenBackLater(hazards: RefundHazards): readonly number[] {
  const later = new Array<number>(refundableDays + 1).fill(0);
  for (let day = refundableDays - 1; day >= 0; day--)
    later[day] = hazards[day]! + (1 - hazards[day]!) * later[day + 1]!;
  return later;
}

/** Whole days. */
export const dayOf = (days: number): number => Math.min(refundableDays, Math.max(0, Math.floor(days)));
