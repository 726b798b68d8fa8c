import { log } from '../numbers/log.ts';
import { held } from '../value/tally.ts';

const dayMs = 24 * 3_600_000;
/** Until when a start counts to which bin: hours from the exposure. The last bin is all the rest. */
const binEndsMs = [3_600_000, dayMs] as const;
const lastBin = binEndsMs.length;
/** When all have come. */
const lastMs = 14 * dayMs;
const logOfDays = log(lastMs / dayMs);
/** Ages are told apart by so much: values are fitted as often. */
const stepMs = dayMs / 4;

const prior: Bins = [0.7, 0.15, 0.15];
const pseudoStarts = { model: 100, plan: 20, variant: 20 } as const;
const rounds = 300;
const closeEnough = 1e-9;

/** By bin: starts, or the share of them that comes in it. */
type Bins = readonly [hour: number, day: number, late: number];

/** What was shown: a variant's row, and the plan of its first product. */
export interface ShownVariant {
  readonly row: number;
  readonly plan: string;
}

/** The first start of an exposure that is not mature yet. */
export interface YoungStart {
  readonly shown: ShownVariant;
  /** The exposure's. */
  readonly ageMs: number;
  readonly bin: number;
}

/** Of a variant's starts. */
export interface LateShare {
  /** That come later than a day after. */
  readonly share: number;
  /** How far it may be off: one standard error. */
  readonly error: number;
  /** How much of it young exposures told, from 0 to 1: of what comes later than they are old they know nothing. */
  readonly young: number;
}

/** When starts of a variant come. */
interface Delays {
  readonly shares: Bins;
  /** As many starts as told of late ones as much, if none of them could be missing; and of these the young exposures'. */
  readonly told: number;
  readonly toldByYoung: number;
}

type ByVariant<Of> = readonly (readonly [row: number, of: Of])[];
type ByPlan<Of> = readonly (readonly [plan: string, of: Of])[];

export interface DelayState {
  /** Starts of mature exposures. */
  readonly plans: ByPlan<Bins>;
  readonly variants: ByVariant<Bins>;
  /** From these and from young ones, when it was learned last. */
  readonly learned: { readonly model: Bins; readonly plans: ByPlan<Bins>; readonly variants: ByVariant<Delays> };
}

/** Starts of exposures of one age, and the share of late ones that has not come by then. */
interface Counts {
  readonly open: number;
  bins: Bins;
}

/** A loop: it is asked of every exposure that waits. */
export function delayBin(delayMs: number): number {
  let bin = 0;
  while (bin < binEndsMs.length && delayMs >= binEndsMs[bin]!) bin++;
  return bin;
}

/** The share of late starts that has not come by an age, as if they came evenly in the log of time. */
export function openAtAge(ageMs: number): number {
  if (ageMs >= lastMs) return 0;
  return ageMs > dayMs ? 1 - log(ageMs / dayMs) / logOfDays : 1;
}

/**
 * How late starts come after their exposures: the share that has come by 1 h, 24 h, 14 days, by variant, drawn to that of
 * the plan of the first product that was shown, drawn to the model's, drawn to a guess. Of exposures that are a day old:
 * of young ones slow starts are missing, so each that was seen stands for as many others as the share itself says. It is
 * the one that agrees with that (expectation and maximisation, of truncated delays). In the first two weeks there are no
 * exposures but young ones.
 */
export class DelayShares {
  readonly #plans: Map<string, Bins>;
  readonly #variants: Map<number, Bins>;
  #learned: { readonly model: Bins; readonly plans: Map<string, Bins>; readonly variants: Map<number, Delays> };

  constructor({ plans, variants, learned }: DelayState = nothing) {
    this.#plans = new Map(plans);
    this.#variants = new Map(variants);
    this.#learned = { ...learned, plans: new Map(learned.plans), variants: new Map(learned.variants) };
  }

  /** The first start of an exposure that is mature. */
  count({ row, plan }: ShownVariant, bin: number): void {
    this.#plans.set(plan, withOneMore(bin, this.#plans.get(plan)));
    this.#variants.set(row, withOneMore(bin, this.#variants.get(row)));
  }

  /**
   * Learns from all that were counted, and from these, which take the place of all young ones of before.
   * @param planOf a variant's, by its row
   */
  learn(young: Iterable<YoungStart>, planOf: (row: number) => string): void {
    const plans = new Map([...this.#plans].map(matureOf));
    const variants = new Map([...this.#variants].map(matureOf));
    for (const { shown, ageMs, bin } of young) {
      if (ageMs < dayMs) continue;
      const step = Math.floor(ageMs / stepMs);
      for (const byAge of [held(plans, shown.plan, fresh), held(variants, shown.row, fresh)]) {
        const counts = (byAge[1 + step] ??= { open: openAtAge((step + 0.5) * stepMs), bins: none });
        counts.bins = withOneMore(bin, counts.bins);
      }
    }
    const model = sharesOf(together(inOrder(plans).map(([, byAge]) => byAge)), prior, pseudoStarts.model);
    this.#learned = { model, plans: new Map(), variants: new Map() };
    for (const [plan, byAge] of plans) this.#learned.plans.set(plan, sharesOf(byAge, model, pseudoStarts.plan));
    for (const [row, byAge] of variants) {
      const shares = sharesOf(byAge, this.#ofPlan(planOf(row)), pseudoStarts.variant);
      const toldBy = (some: readonly Counts[]) => some.reduce((sum, one) => sum + informationOf(one, shares), 0);
      const toldByYoung = toldBy(byAge.filter(({ open }) => open > 0));
      this.#learned.variants.set(row, { shares, told: toldBy(byAge), toldByYoung });
    }
  }

  /** The share of starts that has come when bin after bin, up to this one, is over. 1 of the last. */
  upTo(shown: ShownVariant, bin: number): number {
    if (bin >= lastBin) return 1;
    const [hour, day] = this.#of(shown).shares;
    return bin === 0 ? hour : hour + day;
  }

  late(shown: ShownVariant): LateShare {
    const { shares, told, toldByYoung } = this.#of(shown);
    const [share, all] = [shares[lastBin], told + pseudoStarts.variant];
    return { share, error: Math.sqrt((share * (1 - share)) / (all + 1)), young: toldByYoung / all };
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

  state(): DelayState {
    const { model, plans, variants } = this.#learned;
    return {
      plans: inOrder(this.#plans),
      variants: inOrder(this.#variants),
      learned: { model, plans: inOrder(plans), variants: inOrder(variants) },
    };
  }

  #of({ row, plan }: ShownVariant): Delays {
    return this.#learned.variants.get(row) ?? { shares: this.#ofPlan(plan), told: 0, toldByYoung: 0 };
  }

  #ofPlan(plan: string): Bins {
    return this.#learned.plans.get(plan) ?? this.#learned.model;
  }
}

const none: Bins = [0, 0, 0];
const fresh = (): Counts[] => [];
const nothing: DelayState = { plans: [], variants: [], learned: { model: prior, plans: [], variants: [] } };

const inOrder = <Key extends string | number, Of>(table: Map<Key, Of>) =>
  [...table].sort(([one], [other]) => (one < other ? -1 : 1));

const withOneMore = (bin: number, [hour, day, late] = none): Bins => [
  hour + (bin === 0 ? 1 : 0),
  day + (bin === 1 ? 1 : 0),
  late + (bin === lastBin ? 1 : 0),
];

/** Mature ones are the first, young ones by rising age behind them. */
const matureOf = <Key>([key, bins]: readonly [Key, Bins]): [Key, Counts[]] => [key, [{ open: 0, bins }]];

/** Of all plans, age by age. */
function together(plans: readonly (readonly Counts[])[]): readonly Counts[] {
  const all: Counts[] = [];
  for (const byAge of plans)
    byAge.forEach(({ open, bins }, age) => {
      const sums = (all[age] ??= { open, bins: none });
      sums.bins = [sums.bins[0] + bins[0], sums.bins[1] + bins[1], sums.bins[2] + bins[2]];
    });
  return all;
}

const startsOf = ({ bins: [hour, day, late] }: Counts) => hour + day + late;

/** Drawn to others as if so many starts more had come as those say. */
function sharesOf(counts: readonly Counts[], towards: Bins, strength: number): Bins {
  let [hour, day, late] = [strength * towards[0], strength * towards[1], strength * towards[2]];
  counts.forEach(({ bins }) => ([hour, day, late] = [hour + bins[0], day + bins[1], late + bins[2]]));
  const seen = hour + day + late;
  let [share, all] = [towards[lastBin], seen];
  for (let round = 0; round < rounds; round++) {
    const unseen = counts.reduce((sum, one) => sum + (startsOf(one) * share * one.open) / (1 - share * one.open), 0);
    all = seen + unseen;
    const change = (late + unseen) / all - share;
    share += change;
    if (change < closeEnough && change > -closeEnough) break;
  }
  return [hour / all, day / all, share];
}

/** As many starts as tell as much of the share of late ones, if none of them could be missing: by Fisher's information. */
const informationOf = (counts: Counts, shares: Bins): number =>
  (startsOf(counts) * (1 - counts.open)) / (1 - shares[lastBin] * counts.open) ** 2;
