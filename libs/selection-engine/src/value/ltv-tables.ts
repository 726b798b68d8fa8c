import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';
import { oddsOf, shareOf } from '../numbers/odds.ts';
import { ContextOdds, type Chances } from './context-odds.ts';
import { learnFollowing, pairOf, type Following, type Pair } from './following.ts';
import type { LedgerRow } from './ledger-row.ts';
import { dayOf, givenBackLater, refundableDays, RefundTally, type RefundHazards } from './refund-tally.ts';
import {
  add,
  errorOf,
  followedBy,
  held,
  meanOf,
  renewalSteps,
  resolvedOf,
  stepOf,
  type Resolved,
  type Tally,
} from './tally.ts';

/**
 * Pseudo-counts [yes, no]: what is believed of trials and renewals before any is seen. A rate of renewal
 * decides what months are worth that nobody has lived through yet, so a few weeks that happened to go well must not:
 * products of a plan are thought to differ by some points, not by tens.
 */
const trialPrior = [8.5, 11.5] as const;
const refundPrior = { share: 0.05, pseudoCharges: 40 } as const;
const refundHazardsOfPrior: RefundHazards = new Array<number>(refundableDays).fill(
  1 - (1 - refundPrior.share) ** (1 / refundableDays),
);
const renewalPriors: Readonly<Record<string, readonly [number, number]>> = {
  week: [51, 9],
  month: [46.5, 13.5],
  year: [15, 15],
};
const renewalPriorOfOthers = [46.5, 13.5] as const;
const priorOf = (plan: string) => renewalPriors[plan] ?? renewalPriorOfOthers;
const strengthOf = ([yes, no]: readonly [number, number]): number => yes + no;
/** A country's mean charge counts the product's like that many charges. */
const pseudoCharges = 5;
/** A charge of which nothing is known at all. */
const unknownChargeUsd = 10;
/**
 * What the priors weigh when it is asked how far a rate may be off: they say what to believe at best, and a product's own
 * rate may well be a tenth away from its plan's.
 */
const scepticalStrength = 10;

/** Of a trial or a period; by days, a month would say nothing of a quarter, nor a trial of another one's length. */
const parts = 32;

/** By part: what became of those that were still open in it. */
type Open = Tally[];
/**
 * Behind the end of a trial or a period: how many of those who pay have not by then, as it is believed before any is seen.
 * Stores charge at once; some payments have to be collected again.
 */
const lateShare = 0.1;
const partOf = (gone: number): number => Math.floor(parts * gone);
const isPast = (gone: number): boolean => partOf(gone) > parts;

const openBySteps = (): readonly Open[] => renewalSteps.map(() => []);

/** By step. */
interface RenewalsOfPlan {
  readonly all: readonly Open[];
  readonly products: Map<string, readonly Open[]>;
}

const noRenewals = (): RenewalsOfPlan => ({ all: openBySteps(), products: new Map() });

const openOf = (table: Map<string, Open>, key: string) => held(table, key, () => []);
const openAt = (gone: number, open: Open = []): Tally | undefined => open[partOf(gone)];

interface Charges {
  count: number;
  totalUsd: number;
}

const noCharges = (): Charges => ({ count: 0, totalUsd: 0 });
const noCountries = () => new Map<string, Charges>();
const noRefunds = () => new RefundTally();

function addCharges(charges: Charges, count: number, usd: number): void {
  charges.count += count;
  charges.totalUsd += usd;
}

/**
 * Rates of trials that convert, of renewals and of refunds, and mean charges, from the ledger: only what is
 * resolved counts, so young rows bias nothing. Who it is moves the odds of trials and of renewals.
 */
export class LtvTables {
  readonly #trials = new Map<string, Open>();
  readonly #allTrials: Open = [];
  readonly #renewals = new Map<string, RenewalsOfPlan>();
  readonly #refunds = new RefundTally();
  readonly #refundsOfProduct = new Map<string, RefundTally>();
  /** By product, as `givenBackLater`. */
  readonly #givenBackLater = new Map<string, readonly number[]>();
  readonly #charges: Charges = { count: 0, totalUsd: 0 };
  readonly #chargesOfProduct = new Map<string, Charges>();
  /** By product, then by country. */
  readonly #chargesOfCountries = new Map<string, Map<string, Charges>>();
  /** What was asked of rates and charges before, whoever it is: every row asks again, and products are few. */
  readonly #known = {
    /** By product, then by part. */
    trials: new Map<string, number[]>(),
    /** By product, by plan, then by part and step; behind the last part of a period that is over. */
    renewals: new Map<string, Map<string, number[]>>(),
    /** By product, then by country. */
    charges: new Map<string, Map<string, number>>(),
  };
  /** Of renewals, as far as plans and products say that have seen both. */
  readonly following: Following;
  /** What is known for sure of each row, in their order. */
  readonly resolved: readonly Resolved[];
  /** How a context moves the odds of both rates. */
  readonly odds: { readonly trial: ContextOdds; readonly renewal: ContextOdds };

  /** @param rows in an order that is a function of their set: sums depend on it */
  constructor(rows: readonly LedgerRow[]) {
    const resolved = rows.map(resolvedOf);
    this.resolved = resolved;
    rows.forEach((row, index) => this.#count(row, resolved[index]!));
    this.#addUp();
    this.following = learnFollowing([...this.#renewals].map(([plan, seen]) => pairsOf(seen, priorOf(plan))));
    const [trials, renewals]: [Chances[], Chances[]] = [[], []];
    rows.forEach(({ product, plan, active }, index) => {
      const ofRow = resolved[index]!;
      if (ofRow.trial) trials.push({ ...ofRow.trial, active, rate: this.trialToPaid(product) });
      ofRow.renewals.forEach(({ yes, no }, step) => {
        if (yes + no > 0) renewals.push({ active, rate: this.renewal(product, plan, 1 + step), yes, no });
      });
    });
    this.odds = { trial: new ContextOdds(trials), renewal: new ContextOdds(renewals) };
  }

  /**
   * The share of the product's trials that are paid for in the end; with a context, of those of such people. With what is
   * gone of the trial, as rows have it, of those that were open then: many ends are told at once, and payments when trials
   * are over.
   */
  trialToPaid(product: string, active?: Int32Array, gone = 0): number {
    const known = held(this.#known.trials, product, (): number[] => []);
    const rate = (known[partOf(gone)] ??= meanOf(openAt(gone, this.#trials.get(product)), this.#trialPriorAt(gone)));
    return active === undefined ? rate : this.odds.trial.of(rate, active);
  }

  /**
   * The share of its n-th charges that another one follows, n from 1 on: the product's, drawn to its plan's, drawn to the
   * prior; with a context, of those of such people; with what is gone of the period, from 0 to 1, of those that nobody had
   * ended before.
   */
  renewal(product: string, plan: string, nth: number, active?: Int32Array, gone = 0): number {
    const known = this.#known.renewals.get(product)?.get(plan) ?? this.#knownOf(product, plan);
    const step = stepOf(nth);
    const part = isPast(gone) ? parts + 1 : partOf(gone);
    const rate = (known[renewalSteps.length * part + step] ??= this.#renewalOf(product, plan, step, gone));
    return active === undefined ? rate : this.odds.renewal.of(rate, active);
  }

  /** How far `trialToPaid` may be off: one standard error. */
  trialError(product: string): number {
    const priorMean = meanOf(undefined, trialPrior);
    return errorOf(this.trialToPaid(product), openAt(0, this.#trials.get(product)), priorMean, scepticalStrength);
  }

  /** How far `renewal` may be off: one standard error. */
  renewalError(product: string, plan: string, nth: number): number {
    const step = stepOf(nth);
    const { rate, prior } = this.#renewalsAt(0, product, plan)[step]!;
    return errorOf(rate, openAt(0, this.#seenOf(product, plan)?.[step]), prior, scepticalStrength);
  }

  /** By how much later renewals are more often thought to come if the n-th is, per one of its rate. */
  renewalFollowed(product: string, plan: string, nth: number): number {
    const step = stepOf(nth);
    const [own, next] = this.#renewalsAt(0, product, plan).slice(step);
    if (next === undefined) return 0;
    const seen = openAt(0, this.#seenOf(product, plan)?.[step + 1]);
    return followedBy(own!.rate, next, seen, this.following.slope);
  }

  /**
   * The share of the product's charges that is refunded; with days that are behind a charge, of those that were not by then.
   * The product's, drawn to all products', drawn to the prior.
   */
  refund(product: string, days = 0): number {
    return this.#laterOf(product)[dayOf(days)]!;
  }

  /** How far `refund` of a new charge may be off: one standard error. */
  refundError(product: string): number {
    const resolved = this.resolvedRefunds(product, this.#refundsOfProduct.get(product));
    return errorOf(this.refund(product), resolved, refundPrior.share, scepticalStrength);
  }

  /** Of some of the product's charges: how many were refunded, and how many would have been by now if they were to be. */
  resolvedRefunds(product: string, tally = new RefundTally()): Tally {
    return tally.resolved(this.#laterOf(product));
  }

  /** The mean charge in USD: the country's, drawn to the product's. */
  chargeUsd(product: string, country: string): number {
    const ofProduct = held(this.#known.charges, product, () => new Map<string, number>());
    return held(ofProduct, country, () => this.#chargeUsdOf(product, country));
  }

  #knownOf(product: string, plan: string): number[] {
    return held(
      held(this.#known.renewals, product, () => new Map<string, number[]>()),
      plan,
      () => [],
    );
  }

  /** Whoever it is. */
  #renewalOf(product: string, plan: string, step: number, gone: number): number {
    const { rate } = this.#renewalsAt(Math.min(1, gone), product, plan)[step]!;
    return isPast(gone) ? shareOf(lateShare * oddsOf(rate)) : rate;
  }

  /** By step, of periods that nobody had ended by then. */
  #renewalsAt(gone: number, product: string, plan: string): readonly Drawn[] {
    const prior = priorOf(plan);
    const to = { strength: strengthOf(prior), following: this.following };
    const ofPlan = drawn(this.#renewals.get(plan)?.all, gone, { ...to, others: renewalSteps.map(() => meanOf(undefined, prior)) }); // prettier-ignore
    return drawn(this.#seenOf(product, plan), gone, { ...to, others: ofPlan.map(({ rate }) => rate) });
  }

  #seenOf(product: string, plan: string): readonly Open[] | undefined {
    return this.#renewals.get(plan)?.products.get(product);
  }

  #chargeUsdOf(product: string, country: string): number {
    const overall = this.#charges.count > 0 ? this.#charges.totalUsd / this.#charges.count : unknownChargeUsd;
    const ofProduct = this.#chargesOfProduct.get(product);
    const productMean = ofProduct === undefined ? overall : ofProduct.totalUsd / ofProduct.count;
    const { count, totalUsd } = this.#chargesOfCountries.get(product)?.get(country) ?? { count: 0, totalUsd: 0 };
    return (totalUsd + pseudoCharges * productMean) / (count + pseudoCharges);
  }

  #laterOf(product: string): readonly number[] {
    return held(this.#givenBackLater, product, () => {
      const { pseudoCharges } = refundPrior;
      const ofAll = this.#refunds.hazards(refundHazardsOfPrior, pseudoCharges);
      return givenBackLater((this.#refundsOfProduct.get(product) ?? new RefundTally()).hazards(ofAll, pseudoCharges));
    });
  }

  /** What is believed of a product's trials when so much of them is gone: trials of all say how many of the others have left by then. */
  #trialPriorAt(gone: number): readonly [number, number] {
    const [open, all] = [openAt(gone, this.#allTrials), openAt(0, this.#allTrials)];
    const late = isPast(gone) ? lateShare : 1;
    if (late === 1 && (open === undefined || all === undefined || open === all)) return trialPrior;
    const [yes, no] = trialPrior;
    const strength = yes + no;
    const ofAll = meanOf(all, trialPrior);
    const drawnTo = (share: number) => [strength * share, strength * (1 - share)] as const;
    const ofOpen = meanOf(open, drawnTo(shareOf(late * oddsOf(ofAll))));
    // By odds: a rate has not room to grow in the same proportion.
    const odds = (oddsOf(yes / strength) * oddsOf(ofOpen)) / oddsOf(meanOf(all, drawnTo(ofAll)));
    return [strength * shareOf(odds), strength / (1 + odds)];
  }

  /** Behind the last row. */
  #addUp(): void {
    addUp(this.#allTrials);
    for (const open of this.#trials.values()) addUp(open);
    for (const { all, products } of this.#renewals.values()) [all, ...products.values()].flat().forEach(addUp);
  }

  #count(row: LedgerRow, { trial, renewals }: Resolved): void {
    const { product, plan, country, payments, charged = payments, chargedUsd } = row;
    if (trial) {
      countIn(openOf(this.#trials, product), row.trialGone, trial);
      countIn(this.#allTrials, row.trialGone, trial);
    }
    if (renewals.length > 0) {
      const ofPlan = held(this.#renewals, plan, noRenewals);
      const ofProduct = held(ofPlan.products, product, openBySteps);
      const gone = Math.min(1, row.periodGone ?? 0);
      for (let step = 0; step < renewals.length; step++) {
        countRenewals(ofPlan.all[step]!, gone, renewals[step]!);
        countRenewals(ofProduct[step]!, gone, renewals[step]!);
      }
    }
    if (payments === 0) return;
    this.#refunds.count(row);
    held(this.#refundsOfProduct, product, noRefunds).count(row);
    if (charged === 0) return;
    addCharges(this.#charges, charged, chargedUsd);
    addCharges(held(this.#chargesOfProduct, product, noCharges), charged, chargedUsd);
    const ofCountries = held(this.#chargesOfCountries, product, noCountries);
    addCharges(held(ofCountries, country, noCharges), charged, chargedUsd);
  }
}

/** A rate of renewal, and what it was drawn to, as if so many more had said so. */
interface Drawn {
  readonly rate: number;
  readonly prior: number;
  readonly strength: number;
}

interface DrawnTo {
  /** Rates by step. */
  readonly others: readonly number[];
  readonly strength: number;
  readonly following: Following;
}

/**
 * Rates of renewal by step, drawn to those of others as if so many more had been renewed as those were. As far as the step
 * before is seen to be renewed otherwise than others', this one is believed to be so too by the slope, in log odds; and as
 * much more firmly as that leaves less to know.
 */
function drawn(seen: readonly Open[] = [], gone: number, { others, strength, following }: DrawnTo): readonly Drawn[] {
  let moved = 0;
  return others.map((other, step) => {
    const prior = moved === 0 ? other : shareOf(oddsOf(other) * exp(following.slope * moved));
    const weight = step === 0 ? strength : strength / following.left;
    const rate = meanOf(openAt(gone, seen[step]), [weight * prior, weight * (1 - prior)]);
    moved = log(oddsOf(rate) / oddsOf(other));
    return { rate, prior, strength: weight };
  });
}

/** Of products that have seen later renewals. */
function pairsOf({ all, products }: RenewalsOfPlan, prior: readonly [number, number]) {
  const strength = strengthOf(prior);
  const ofPlan = meanOf(openAt(0, all[0]), prior);
  const pairs: Pair[] = [];
  for (const [first = [], later = []] of products.values()) {
    const [seen, seenLater] = [openAt(0, first), openAt(0, later)];
    if (seen === undefined || seenLater === undefined) continue;
    const rate = meanOf(seen, [strength * ofPlan, strength * (1 - ofPlan)]);
    pairs.push(pairOf({ ...seen, rate }, seenLater, prior));
  }
  const mean = meanOf(undefined, prior);
  return { pairs, variance: 1 / (strength * mean * (1 - mean)) };
}

/** In the part in which it was known: until then it was open, which `addUp` adds. */
const countIn = (open: Open, gone = 0, tally: Tally): void => add(tallyIn(open, partOf(gone)), tally);

/** Who was renewed was open to the end. */
function countRenewals(open: Open, gone: number, { yes, no }: Tally): void {
  tallyIn(open, partOf(1)).yes += yes;
  tallyIn(open, partOf(gone)).no += no;
}

const tallyIn = (open: Open, part: number): Tally => (open[part] ??= { yes: 0, no: 0 });

/** Lets what was known in a part count in those before it. */
function addUp(open: Open): void {
  for (let part = open.length - 2; part >= 0; part--) add((open[part] ??= { yes: 0, no: 0 }), open[part + 1]!);
}
