import { log } from '../numbers/log.ts';

/** Until when a start counts to which bin: hours from the exposure. The last bin is all the rest. */
const binEndsMs = [3_600_000, 24 * 3_600_000] as const;
const bins = binEndsMs.length + 1;
/** When all have come. */
const lastMs = 14 * 24 * 3_600_000;

const prior = [0.7, 0.15, 0.15] as const;
const pseudoStarts = { model: 100, plan: 20, variant: 20 } as const;

/** What was shown: a variant's row, and the plan of its first product. */
export interface ShownVariant {
  readonly row: number;
  readonly plan: string;
}

/** Starts by bin. */
export interface DelayCounts {
  readonly plans: readonly (readonly [plan: string, starts: readonly number[]])[];
  readonly variants: readonly (readonly [row: number, starts: readonly number[]])[];
}

export const delayBin = (delayMs: number): number => binEndsMs.filter((end) => delayMs >= end).length;

/**
 * How late starts come after their exposures: the share that has come by 1 h, 24 h, 14 days, by variant, drawn to that of
 * the plan of the first product that was shown, drawn to the model's, drawn to a guess. Of mature exposures alone: among
 * young ones, fast starts are seen and slow ones are not.
 */
export class DelayShares {
  readonly #ofPlan: Map<string, readonly number[]>;
  readonly #ofVariant: Map<number, readonly number[]>;

  constructor({ plans, variants }: DelayCounts = { plans: [], variants: [] }) {
    this.#ofPlan = new Map(plans);
    this.#ofVariant = new Map(variants);
  }

  count({ row, plan }: ShownVariant, bin: number): void {
    this.#ofPlan.set(plan, withOneMore(bin, this.#ofPlan.get(plan)));
    this.#ofVariant.set(row, withOneMore(bin, this.#ofVariant.get(row)));
  }

  /** The share of starts that has come when bin after bin, up to this one, is over. 1 of the last. */
  upTo({ row, plan }: ShownVariant, bin: number): number {
    if (bin >= bins - 1) return 1;
    const total = new Array<number>(bins).fill(0);
    for (const starts of this.#ofPlan.values()) starts.forEach((one, at) => (total[at]! += one));
    const ofModel = shrink(total, prior, pseudoStarts.model);
    const ofPlan = shrink(this.#ofPlan.get(plan) ?? none, ofModel, pseudoStarts.plan);
    const shares = shrink(this.#ofVariant.get(row) ?? none, ofPlan, pseudoStarts.variant);
    return shares.slice(0, bin + 1).reduce((sum, share) => sum + share, 0);
  }

  /**
   * The share of starts that has come by an age, as a function of it: between ages of which it is known, as if starts came
   * evenly in the log of time; evenly in time before the first.
   */
  byAge(shown: ShownVariant): (ageMs: number) => number {
    const knots = [...binEndsMs, lastMs].map((ageMs, bin) => ({ at: log(ageMs), share: this.upTo(shown, bin) }));
    const [first] = knots;
    return (ageMs) => {
      if (ageMs >= lastMs) return 1;
      if (ageMs < binEndsMs[0]) return ageMs > 0 ? (first!.share * ageMs) / binEndsMs[0] : 0;
      const bin = delayBin(ageMs);
      const [last, next] = [knots[bin - 1]!, knots[bin]!];
      return last.share + ((next.share - last.share) * (log(ageMs) - last.at)) / (next.at - last.at);
    };
  }

  counts(): DelayCounts {
    const inOrder = <Key extends string | number>(counts: Map<Key, readonly number[]>) =>
      [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
    return { plans: inOrder(this.#ofPlan), variants: inOrder(this.#ofVariant) };
  }
}

const none: readonly number[] = new Array<number>(bins).fill(0);

const withOneMore = (bin: number, starts = none): readonly number[] =>
  starts.map((one, at) => one + (at === bin ? 1 : 0));

function shrink(counts: readonly number[], towards: readonly number[], strength: number): readonly number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count, at) => (count + strength * (towards[at] ?? 0)) / (total + strength));
}
