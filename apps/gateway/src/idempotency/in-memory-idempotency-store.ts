import {
  IdempotencyStore,
  type AnswerToKeep,
  type ClaimRequest,
  type KeyClaim,
  type KeyScope,
  type KeyState,
  type StoredAnswer,
} from './idempotency-store.ts';

interface HeldKey {
  fingerprint: Buffer;
  commandId: string;
  attempt: number;
  leaseUntil: number;
  expiresAt: number;
  answer: StoredAnswer | null;
  profileId: string | null;
  followUp: string | null;
}

/** The Postgres store's twin in process, for tests: both pass one contract. */
export class InMemoryIdempotencyStore extends IdempotencyStore {
  readonly #held = new Map<string, HeldKey>();

  override async claim(request: ClaimRequest): Promise<KeyClaim | null> {
    const { scope, fingerprint, now, leaseUntil } = request;
    const held = this.#held.get(nameOf(scope));
    const fresh = held === undefined || held.expiresAt <= now;
    if (!fresh && (held.answer !== null || held.leaseUntil > now || !held.fingerprint.equals(fingerprint))) return null;
    const attempt = (held?.attempt ?? 0) + 1;
    const { commandId, expiresAt } = fresh ? request : held;
    this.#held.set(nameOf(scope), {
      ...{ fingerprint, commandId, attempt, leaseUntil, expiresAt },
      ...{ answer: null, profileId: null, followUp: null },
    });
    return { scope, commandId, attempt, expiresAt };
  }

  override async find(scope: KeyScope, now: number): Promise<KeyState | null> {
    const held = this.#held.get(nameOf(scope));
    if (held === undefined || held.expiresAt <= now) return null;
    const { fingerprint, leaseUntil, answer, profileId, followUp } = held;
    if (answer === null) return { kind: 'running', fingerprint, leaseUntil };
    return { kind: 'answered', fingerprint, answer, profileId, followUp };
  }

  override async answer(claim: KeyClaim, { profileId, followUp, ...answer }: AnswerToKeep): Promise<boolean> {
    const held = this.#heldBy(claim);
    if (held !== null) Object.assign(held, { answer, profileId, followUp });
    return held !== null;
  }

  override async forget(profileId: string, instead: StoredAnswer): Promise<void> {
    for (const held of this.#held.values())
      if (held.profileId === profileId) Object.assign(held, { answer: instead, profileId: null, followUp: null });
  }

  override async release(claim: KeyClaim): Promise<void> {
    const held = this.#heldBy(claim);
    if (held !== null) held.leaseUntil = 0;
  }

  override async purge(now: number, limit: number): Promise<number> {
    const expired = [...this.#held].filter(([, { expiresAt }]) => expiresAt <= now).slice(0, limit);
    for (const [name] of expired) this.#held.delete(name);
    return expired.length;
  }

  #heldBy({ scope, attempt }: KeyClaim): HeldKey | null {
    const held = this.#held.get(nameOf(scope));
    return held !== undefined && held.attempt === attempt && held.answer === null ? held : null;
  }
}

const nameOf = ({ appId, key, method, path }: KeyScope) => JSON.stringify([appId, key, method, path]);
