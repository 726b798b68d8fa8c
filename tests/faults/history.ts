/** What the client knows of one write: acknowledged with 2xx, refused with 4xx, or anything else. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

export interface MarkedWrite {
  /** Unique in the whole run, and found again in whatever the write became. */
  readonly marker: string;
  readonly outcome: Outcome;
}

/** What a client did for one profile, one request after the other. */
export interface ProfileHistory {
  readonly profileId: string;
  readonly attributeWrites: MarkedWrite[];
  readonly eventBatches: MarkedWrite[];
  /** The decisions whose tokens the client holds. */
  readonly decisionIds: string[];
  /** Paywall requests that got no answer: each may have become a decision, or not. */
  unknownFetches: number;
  readonly shownPaywallIds: Set<number>;
  /** Paywalls of events that may have been stored, or not. */
  readonly perhapsShownPaywallIds: Set<number>;
}

/** A profile that was asked for, and not acknowledged: nobody knows its id. */
export interface UnacknowledgedCreation {
  /** Unique in the whole run. */
  readonly customerUserId: string;
  readonly outcome: Exclude<Outcome, 'acknowledged'>;
}

/** An answer, and what the same request under the same Idempotency-Key was answered once more. */
export interface AnswerAgain {
  /** Path and key. */
  readonly request: string;
  /** Status and text, as `again`. */
  readonly first: string;
  readonly again: string;
}

export interface History {
  readonly appId: number;
  readonly profiles: ProfileHistory[];
  readonly unacknowledgedCreations: UnacknowledgedCreation[];
  readonly answersAgain: AnswerAgain[];
  readonly statuses: Map<number | 'no answer', number>;
}

export const newHistory = (appId: number): History => ({
  appId,
  profiles: [],
  unacknowledgedCreations: [],
  answersAgain: [],
  statuses: new Map(),
});

export const acknowledgedWrites = (history: History): number =>
  history.profiles.reduce(
    (sum, { attributeWrites, eventBatches, decisionIds }) =>
      sum +
      1 +
      decisionIds.length +
      [...attributeWrites, ...eventBatches].filter(({ outcome }) => outcome === 'acknowledged').length,
    0,
  );
