import { log } from '../numbers/log.ts';
import { held } from '../value/tally.ts';
import type { DelayShares, ShownVariant } from './delay-shares.ts';

const dayMs = 24 * 3_600_000;
const lastMs = 14 * dayMs;
const logOfDays = log(lastMs / dayMs);
/** Ages are told apart by so much: values are fitted as often. */
const stepMs = dayMs / 4;
const priorShare = 0.15;
/** As in `DelayShares`. */
const pseudoStarts = { model: 100, plan: 20, variant: 20 } as const;
const rounds = 300;
const closeEnough = 1e-9;

/** The first start of an exposure that is not mature yet. */
export interface YoungStart {
  readonly shown: ShownVariant;
  /** The exposure's. */
  readonly ageMs: number;
  /** Whether it came later than a day after. */
  readonly isLate: boolean;
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

/** Starts of exposures of one age, and the share of late ones that has not come by then. */
interface Counts {
  readonly open: number;
  soon: number;
  late: number;
}
type ByAge = Map<number, Counts>;

/** The share of late starts that has not come by an age, as if they came evenly in the log of time. */
export function openAtAge(ageMs: number): number {
  if (ageMs >= lastMs) return 0;
  return ageMs > dayMs ? 1 - log(ageMs / dayMs) / logOfDays : 1;
}

/**
 * What share of starts comes later than a day after its exposure, by variant, drawn to the plan's, drawn to the model's,
 * drawn to a guess: as `DelayShares`, but from young exposures too. Of these slow starts are missing, so each that was seen
 * stands for as many others as the share itself says: it is the one that agrees with that (expectation and maximisation, of
 * truncated delays). In the first two weeks there are no exposures but young ones.
 */
export class LateShares {
  readonly #mature: { readonly variants: Map<number, Counts>; readonly plans: Map<string, Counts> };
  readonly #young = { variants: new Map<number, ByAge>(), plans: new Map<string, ByAge>(), all: new Map() as ByAge };
  readonly #ofModel: number;
  readonly #ofVariants = new Map<number, LateShare>();

  constructor(delays: DelayShares, young: Iterable<YoungStart>) {
    const { plans, variants } = delays.counts();
    this.#mature = { plans: new Map(plans.map(matureOf)), variants: new Map(variants.map(matureOf)) };
    for (const start of young) if (start.ageMs >= dayMs) this.#count(start);
    const all = [...this.#mature.plans.values(), ...this.#young.all.values()];
    this.#ofModel = shareOf(all, priorShare, pseudoStarts.model);
  }

  of({ row, plan }: ShownVariant): LateShare {
    return held(this.#ofVariants, row, () => {
      const ofPlan = shareOf(countsOf(plan, this.#mature.plans, this.#young.plans), this.#ofModel, pseudoStarts.plan);
      const counts = countsOf(row, this.#mature.variants, this.#young.variants);
      const share = shareOf(counts, ofPlan, pseudoStarts.variant);
      const toldBy = (some: readonly Counts[]) => some.reduce((sum, one) => sum + informationOf(one, share), 0);
      const [told, byYoung] = [toldBy(counts) + pseudoStarts.variant, toldBy(counts.filter(({ open }) => open > 0))];
      return { share, error: Math.sqrt((share * (1 - share)) / (told + 1)), young: byYoung / told };
    });
  }

  #count({ shown, ageMs, isLate }: YoungStart): void {
    const step = Math.floor(ageMs / stepMs);
    const { all, plans, variants } = this.#young;
    const fresh = (): ByAge => new Map();
    for (const byAge of [all, held(plans, shown.plan, fresh), held(variants, shown.row, fresh)]) {
      const counts = held(byAge, step, () => ({ open: openAtAge((step + 0.5) * stepMs), soon: 0, late: 0 }));
      if (isLate) counts.late++;
      else counts.soon++;
    }
  }
}

const matureOf = <Key>([key, [hour = 0, day = 0, late = 0]]: readonly [Key, readonly number[]]) =>
  [key, { open: 0, soon: hour + day, late }] as const;

function countsOf<Key>(key: Key, mature: Map<Key, Counts>, young: Map<Key, ByAge>): readonly Counts[] {
  const known = mature.get(key);
  return [...(known === undefined ? [] : [known]), ...(young.get(key)?.values() ?? [])];
}

/** Of late starts, drawn to another one as if so many starts more had said that. */
function shareOf(counts: readonly Counts[], towards: number, strength: number): number {
  let [seen, late] = [strength, strength * towards];
  for (const one of counts) {
    seen += one.soon + one.late;
    late += one.late;
  }
  let share = towards;
  for (let round = 0; round < rounds; round++) {
    const unseen = counts.reduce(
      (sum, one) => sum + ((one.soon + one.late) * share * one.open) / (1 - share * one.open),
      0,
    );
    const next = (late + unseen) / (seen + unseen);
    const change = next - share;
    share = next;
    if (change < closeEnough && change > -closeEnough) break;
  }
  return share;
}

/** As many starts as tell as much of the share, if none of them could be missing: by Fisher's information. */
const informationOf = ({ open, soon, late }: Counts, share: number): number =>
  ((soon + late) * (1 - open)) / (1 - share * open) ** 2;
