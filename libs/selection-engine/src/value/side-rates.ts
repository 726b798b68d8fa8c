import type { LedgerRow } from './ledger-row.ts';
import type { LtvTables } from './ltv-tables.ts';
import { RefundTally } from './refund-tally.ts';
import {
  add,
  errorOf,
  followedBy,
  held,
  renewalSteps,
  resolvedOf,
  stepOf,
  tallyOf,
  type Resolved,
  type Tally,
} from './tally.ts';

/**
 * Of a product, a side's rates are thought to be those of all its starts as if so many trials, or renewals, of the side's
 * own had said so: five times what a plan's rates weigh for its products (`LtvTables`), as variants of one product differ by
 * less than products do. What a month with a trial is worth then differs by 11 % between variants, as it does
 * (`labelRows`): 10 % by a trial that half pay for, 5 % by renewals of .775.
 */
const pseudoTrials = 100;
const pseudoRenewals = 300;
/** Of refunds as many as a product's are thought of as those of all (`LtvTables`): they tell of themselves within days. */
const pseudoRefundable = 40;

/**
 * How far the rates of AI's starts, or of Baseline's, may be off those of all starts of the product. A projection takes
 * these for both sides, but who shows another paywall gets other people to start. With p the rate of the product's starts,
 * y of n of the side's own that are resolved, and m pseudo-counts: b = (y + m p) / (n + m), and the error is the root of
 * b (1 - b) / (n + m + 1) + (b - p)². So what the side's own starts did makes it smaller, unless they did otherwise than p.
 */
export class SideRates {
  readonly #tables: LtvTables;
  readonly #trials = new Map<string, Tally>();
  /** By product, by plan, by step; undefined where none was seen. */
  readonly #renewals = new Map<string, Map<string, (Tally | undefined)[]>>();
  readonly #refunds = new Map<string, RefundTally>();

  /** @param rows of the side @param tables of all starts @param resolved what is known for sure of each row */
  constructor(rows: readonly LedgerRow[], tables: LtvTables, resolved: readonly Resolved[] = rows.map(resolvedOf)) {
    this.#tables = tables;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      const { trial, renewals } = resolved[index]!;
      if (trial) add(tallyOf(this.#trials, row.product), trial);
      held(this.#refunds, row.product, () => new RefundTally()).count(row);
      if (renewals.length === 0) continue;
      const ofPlan = this.#renewalsOf(row.product, row.plan);
      for (let step = 0; step < renewals.length; step++) add((ofPlan[step] ??= { yes: 0, no: 0 }), renewals[step]!);
    }
  }

  /** Of `LtvTables.trialToPaid`. */
  trialError(product: string): number {
    const rate = this.#tables.trialToPaid(product);
    return errorOf(rate, this.#trials.get(product), rate, pseudoTrials);
  }

  /** Of `LtvTables.renewal`. */
  renewalError(product: string, plan: string, nth: number): number {
    const rate = this.#tables.renewal(product, plan, nth);
    return errorOf(rate, this.#renewalsOf(product, plan)[stepOf(nth)], rate, pseudoRenewals);
  }

  /** As `LtvTables.renewalFollowed`: whose people leave less often at first are thought to leave less often later. */
  renewalFollowed(product: string, plan: string, nth: number): number {
    const [step, next] = [stepOf(nth), stepOf(nth + 1)];
    if (next === step) return 0;
    const [rate, later] = [nth, nth + 1].map((each) => this.#tables.renewal(product, plan, each));
    const seen = this.#renewalsOf(product, plan)[next];
    return followedBy(rate!, { prior: later!, strength: pseudoRenewals }, seen, this.#tables.following.slope);
  }

  /** Of `LtvTables.refund`. */
  refundError(product: string): number {
    const rate = this.#tables.refund(product);
    const resolved = this.#tables.resolvedRefunds(product, this.#refunds.get(product));
    return errorOf(rate, resolved, rate, pseudoRefundable);
  }

  #renewalsOf(product: string, plan: string): (Tally | undefined)[] {
    const ofProduct = held(this.#renewals, product, () => new Map<string, (Tally | undefined)[]>());
    return held(ofProduct, plan, () => renewalSteps.map(() => undefined));
  }
}
