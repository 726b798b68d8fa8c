/** Where a key counts: the same key on another path is another. */
export interface KeyScope {
  readonly appId: number;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** Times are milliseconds since the epoch. */
export interface ClaimRequest {
  readonly scope: KeyScope;
  readonly fingerprint: Buffer;
  /** Taken only where the key is new: an earlier attempt's command is repeated. */
  readonly commandId: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly expiresAt: number;
}

/** The right to do the work of a key, until another attempt takes it over. */
export interface KeyClaim {
  readonly scope: KeyScope;
  readonly commandId: string;
  readonly attempt: number;
  /** Of the key: its first attempt has set it. */
  readonly expiresAt: number;
}

/** An answer as it was sent: its status and the text of its body. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

/** An answer and what follows from giving it. */
export interface AnswerToKeep extends StoredAnswer {
  /** The profile that the answer shows, if it shows one. */
  readonly profileId: string | null;
  /** What is to be posted whenever this answer is given, see `FollowUps`. */
  readonly followUp: string | null;
}

/** What was kept of an `AnswerToKeep`. */
export interface KeptAnswer {
  readonly kind: 'answered';
  readonly fingerprint: Buffer;
  readonly answer: StoredAnswer;
  readonly profileId: string | null;
  readonly followUp: string | null;
}

export type KeyState =
  KeptAnswer | { readonly kind: 'running'; readonly fingerprint: Buffer; readonly leaseUntil: number };

/** Keys and their answers. Every method throws what the database throws. */
export abstract class IdempotencyStore {
  /**
   * Takes a key that is new or expired, or whose work was left (same fingerprint, no answer, lease over).
   * @returns null if it is none of these: see `find`
   */
  abstract claim(request: ClaimRequest): Promise<KeyClaim | null>;
  /** What is known of a key that has not expired by `now`. */
  abstract find(scope: KeyScope, now: number): Promise<KeyState | null>;
  /** Keeps the answer. @returns false if another attempt has taken the work over */
  abstract answer(claim: KeyClaim, answer: AnswerToKeep): Promise<boolean>;
  /** Lets the next request with the key repeat the same command at once. */
  abstract release(claim: KeyClaim): Promise<void>;
  /** Puts another answer in the place of those that show the profile, for as long as they were to be kept. */
  abstract forget(profileId: string, instead: StoredAnswer): Promise<void>;
  /** Forgets at most `limit` of the keys that expired before `now`. @returns how many */
  abstract purge(now: number, limit: number): Promise<number>;
}
