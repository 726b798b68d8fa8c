import type { PromisedValue } from '../value/calibrate.ts';

const weekMs = 7 * 24 * 3_600_000;
const weeks = 12;
/** What a younger model promised says less of today's: a week counts that much of the next one. */
const remembered = 0.5;
const binsOfLog = 16;

const binOf = (logValue: number): number => Math.floor(binsOfLog * logValue);

export type PromisesState = readonly (readonly [week: number, bin: number, exposures: number])[];

/** A start that came by the age up to which its exposure is counted, and what it brings. */
export interface Kept {
  readonly at: number;
  /** Log of the USD per exposure that was promised. */
  readonly logValue: number;
  readonly usd: number;
}

/**
 * Exposures by week and by sixteenth of the log of what they were promised, each as far as could have started of it by its
 * age: what the model promises is judged within hours. Mature ones alone would judge a model of two weeks ago, which
 * knew less. Of the last twelve weeks, whatever their order.
 */
export class Promises {
  readonly #weeks = new Map<number, Map<number, number>>();

  constructor(state: PromisesState = []) {
    for (const [week, bin, exposures] of state) this.#of(week).set(bin, exposures);
  }

  /** @param share of an exposure: that much more of it has come of age */
  count(at: number, logValue: number, share: number): void {
    const ofWeek = this.#of(Math.floor(at / weekMs));
    const bin = binOf(logValue);
    ofWeek.set(bin, (ofWeek.get(bin) ?? 0) + share);
    if (this.#weeks.size > weeks) this.#weeks.delete(Math.min(...this.#weeks.keys()));
  }

  /** What was promised and what came of it, by rising promise. @param kept in a fixed order */
  values(kept: Iterable<Kept>): readonly PromisedValue[] {
    const newest = Math.max(...this.#weeks.keys());
    const bins = new Map<number, { exposures: number; totalUsd: number }>();
    const sums = (bin: number) => {
      const known = bins.get(bin) ?? { exposures: 0, totalUsd: 0 };
      bins.set(bin, known);
      return known;
    };
    for (const [week, bin, exposures] of this.state()) sums(bin).exposures += exposures * remembered ** (newest - week);
    for (const { at, logValue, usd } of kept) {
      const week = Math.floor(at / weekMs);
      if (this.#weeks.has(week)) sums(binOf(logValue)).totalUsd += usd * remembered ** (newest - week);
    }
    return [...bins]
      .sort(([one], [other]) => one - other)
      .map(([bin, { exposures, totalUsd }]) => ({ logValue: (bin + 0.5) / binsOfLog, exposures, totalUsd }));
  }

  /** By week, by bin. */
  state(): PromisesState {
    const all = [...this.#weeks].flatMap(([week, bins]) =>
      [...bins].map(([bin, count]) => [week, bin, count] as const),
    );
    return all.sort(([week, bin], [other, otherBin]) => week - other || bin - otherBin);
  }

  #of(week: number): Map<number, number> {
    const known = this.#weeks.get(week) ?? new Map<number, number>();
    this.#weeks.set(week, known);
    return known;
  }
}
