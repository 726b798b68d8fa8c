import type { FieldValues } from '../features/field-values.ts';

/** Whose traffic an exposure was; null where nobody knows, or the traffic was neither's: then it counts in no comparison. */
export type Side = 'ai' | 'baseline' | null;

/** A decision was made: what was drawn, and with what chances. For the checks of what is drawn and shown. */
export interface DrawnRecord {
  readonly type: 'decision';
  readonly id: string;
  /** Milliseconds since the epoch, as every `at`. */
  readonly at: number;
  readonly paywall: string;
  /** By paywall, in any order; empty where no policy chose. */
  readonly probabilities: readonly (readonly [paywall: string, probability: number])[];
}

/** The decision's paywall was seen for the first time. */
export interface ShownRecord {
  readonly type: 'shown';
  /** The decision's. */
  readonly id: string;
  readonly at: number;
  readonly paywall: string;
  readonly values: FieldValues;
  readonly side: Side;
  /** AI's share of AI and Baseline traffic when it was decided. */
  readonly share: number;
  /** Log of the USD per exposure that was logged then; null where no policy chose. */
  readonly logValue: number | null;
}

/** A purchase chain began that is credited to an exposure. */
export interface StartRecord {
  readonly type: 'start';
  /** The chain's. */
  readonly id: string;
  readonly at: number;
  /** The exposure as its own record has it. */
  readonly exposure: Omit<ShownRecord, 'type'>;
  readonly product: string;
  readonly plan: string;
  readonly country: string;
  readonly periodDays: number;
  readonly trialDays: number;
}

/**
 * Something happened to a chain's money; or, of an `extra` of 0 USD, its store told what the next charge will be, or that it
 * renews again, or charged what nobody can value in USD yet.
 */
export interface MoneyRecord {
  readonly type: 'money';
  readonly id: string;
  readonly chain: string;
  readonly at: number;
  /** `extra`: bought besides, or refunded of that; `ended`: the store said that nothing more will be charged. */
  readonly kind: 'charge' | 'refund' | 'extra' | 'ended';
  /** Positive of charges and refunds; 0 of what nobody can value yet. */
  readonly usd: number;
  /** The next charge as the store told it then, null if it did not. The newest one that is told counts. */
  readonly nextChargeUsd: number | null;
  /**
   * Of a charge (an `extra` here) or `refund` that nobody can value yet: the id of the record that will tell its USD, and
   * then takes its place.
   */
  readonly valuedBy?: string | undefined;
  /** Of a charge of another plan than the start's: what it lasts, where that differs. */
  readonly periodDays?: number | undefined;
  /** Of an `extra` of 0 USD: the store says that it renews again, which takes an end back. */
  readonly renews?: boolean | undefined;
  /** Of an `extra`: a refund was taken back, such as of a dispute that was won. An older learner takes it for one bought besides. */
  readonly reverses?: boolean | undefined;
}

/** One a minute of event time: everything that waits for an age or an hour happens here. */
export interface TickRecord {
  readonly type: 'tick';
  readonly at: number;
}

/** What the model may show, and what it looks like. */
export interface CatalogueRecord {
  readonly type: 'catalogue';
  readonly at: number;
  readonly revision: number;
  readonly horizonDays: number;
  readonly arms: readonly { readonly paywall: string; readonly design: readonly string[] }[];
}

/** A person gave AI its whole share back, after alarms. */
export interface RestoreRecord {
  readonly type: 'restore';
  readonly at: number;
}

/** The share that AI has, of which this model's guard knows nothing. */
export interface ShareRecord {
  readonly type: 'share';
  readonly at: number;
  readonly factor: 1 | 0.5 | 0;
}

export type LearningRecord =
  DrawnRecord | ShownRecord | StartRecord | MoneyRecord | TickRecord | CatalogueRecord | RestoreRecord | ShareRecord;
