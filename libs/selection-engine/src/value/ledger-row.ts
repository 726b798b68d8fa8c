/** A charge that is kept so far, and young enough to be given back. */
export interface RefundableCharge {
  /** As far as it counts within the horizon; 0 of what nobody can value yet. */
  readonly usd: number;
  /** Since it was charged. */
  readonly days: number;
}

/** A start and what became of it. Amounts are USD at the day's rate; a chain of renewals is one row. */
export interface LedgerRow {
  /** Of the exposure that the start is credited to: the intercept's column and one a field of the dictionary. */
  readonly active: Int32Array;
  /** The variant's row in the model. */
  readonly arm: number;
  readonly product: string;
  /** See `planOf`. */
  readonly plan: string;
  readonly country: string;
  /** At least 1. Without meaning for a one-time purchase. */
  readonly periodDays: number;
  /** 0 without a trial. */
  readonly trialDays: number;
  /**
   * How much of its trial is over, from 0 to 1, or was when it was paid for or somebody told its end; behind the trial's last
   * day on to 2, when silence tells. 0 unless said.
   */
  readonly trialGone?: number;
  /**
   * How much of the period that it paid for last is over, from 0 to 1, or was when somebody told its end; behind its last day
   * on to 2, while silence tells. 0 unless said.
   */
  readonly periodGone?: number;
  /** `ended`: nothing more will be charged. */
  readonly stage: 'trial' | 'paid' | 'ended';
  /**
   * So young that others of the same day may not have told theirs yet: when its trial is over, its last charge, its end. It
   * counts in no rate until then. Charges are told at once, many ends by silence alone, so that among the young nearly all
   * would seem to pay and to renew.
   */
  readonly isTrialYoung?: boolean;
  readonly isChargeYoung?: boolean;
  readonly isEndYoung?: boolean;
  /** Charges of the plan, refunded ones too. */
  readonly payments: number;
  /**
   * How many renewals can fall due before the horizon ends, by when it paid last: who comes back after a pause has not as
   * many left as their payments say. Any number unless said.
   */
  readonly renewalsLeft?: number;
  /** Of the payments, those of a plan of another length, to which it was changed; 0 unless said. */
  readonly changes?: number;
  /** Of the payments, those that nobody can value in USD yet; 0 unless said. */
  readonly unvalued?: number;
  readonly refunds: number;
  /** Of these, those that nobody can value in USD yet; 0 unless said. */
  readonly unvaluedRefunds?: number;
  /** How many days after its charge each of them came; at once unless said. */
  readonly refundedAfter?: readonly number[];
  /** Of the payments, those that may be given back yet. None unless said. */
  readonly refundable?: readonly RefundableCharge[];
  /** How many of the payments have known USD and are no changes, and what these charged before refunds. All unless said. */
  readonly charged?: number;
  readonly chargedUsd: number;
  /** Charged minus refunded, so far. */
  readonly realisedUsd: number;
  /** What the person bought besides. */
  readonly extrasUsd: number;
  /** The next charge as the store told it last, null if it never did. */
  readonly nextChargeUsd: number | null;
}
