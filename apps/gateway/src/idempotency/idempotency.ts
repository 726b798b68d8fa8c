import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@paywright/platform';
import { ApiError, serviceUnavailable } from '../http/api-error.ts';
import { answerOfErased } from './answer-of-erased.ts';
import type { FollowUps } from './follow-ups.ts';
import type { IdempotencyStore, KeptAnswer, KeyClaim, KeyScope, StoredAnswer } from './idempotency-store.ts';
import { profileShownIn } from './profile-shown-in.ts';

const keptForMs = 24 * 60 * 60 * 1000;
/** Longer than any request works: the validation of a purchase gives up after 8 s. */
const leaseMs = 15_000;
const firstLookMs = 10;
const longestPauseMs = 200;
const patienceMs = 20_000;

const keptStatuses = new Set([400, 404, 422]);
const isKept = (status: number) => (status >= 200 && status < 300) || keptStatuses.has(status);

/** When the first attempt of a key's work began, in milliseconds since the epoch. */
export const begunAt = ({ expiresAt }: KeyClaim): number => expiresAt - keptForMs;

/** The work is the caller's, or it is done and this is its answer. */
export type Begun = { readonly claim: KeyClaim } | { readonly answer: StoredAnswer };

/** Whether the answer may change, what is to be posted when it is given, and whom it shows without naming them. */
interface Ending {
  readonly shownProfile?: string | null;
  readonly mayChange?: boolean;
  readonly followUp?: string | null;
}

/** Requests with an `Idempotency-Key`: done once, answered every time. */
export class Idempotency {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly clock: Clock,
    private readonly followUps: FollowUps,
    /** Null where it cannot be told now. */
    private readonly isErased: (appId: number, profileId: string) => Promise<boolean | null>,
  ) {}

  /**
   * Claims the work of a key, or waits for the answer of whoever does it now.
   * @param commandId the command of this request, if no earlier attempt had another
   * @throws ApiError IDEMPOTENCY_KEY_REUSED if the key came with another body; SERVICE_UNAVAILABLE if the
   * first request takes too long, or it cannot be told whether whom the answer shows is erased; ServiceOverloaded if
   * the answer's follow-up cannot be posted now
   */
  async begin(scope: KeyScope, fingerprint: Buffer, commandId: string): Promise<Begun> {
    const giveUpAt = performance.now() + patienceMs;
    for (let pause = firstLookMs; performance.now() < giveUpAt; pause = Math.min(2 * pause, longestPauseMs)) {
      const now = this.clock.now();
      const times = { now, leaseUntil: now + leaseMs, expiresAt: now + keptForMs };
      const claim = await this.store.claim({ scope, fingerprint, commandId, ...times });
      if (claim !== null) return { claim };
      const held = await this.store.find(scope, now);
      if (held !== null && !held.fingerprint.equals(fingerprint)) throw reused();
      if (held?.kind === 'answered') return { answer: await this.#again(scope.appId, held) };
      await delay(pause);
    }
    throw serviceUnavailable();
  }

  /**
   * Keeps an answer that will be given again; after one that says "not now", or that may change, the next request may
   * try at once. Its follow-up is posted once it is kept.
   *
   * Whoever it shows may have been erased since the answer was made, and what was kept of them forgotten before this is
   * kept. So it is looked after that: an erasure that is not seen by then has yet to forget, and finds it. Where that
   * look was not possible, it is made before the answer is given again.
   * @throws ApiError SERVICE_UNAVAILABLE if the work was taken over meanwhile: the other answer counts;
   * ServiceOverloaded if the follow-up cannot be posted now
   */
  async end(claim: KeyClaim, answer: StoredAnswer, ending: Ending = {}): Promise<void> {
    const { mayChange = false, followUp = null, shownProfile = null } = ending;
    if (mayChange || !isKept(answer.status)) return this.store.release(claim);
    const profileId = shownProfile ?? profileShownIn(answer.body);
    const kept = await this.store.answer(claim, { ...answer, profileId, followUp });
    if (!kept) throw serviceUnavailable();
    this.#post(followUp);
    if (profileId !== null && (await this.isErased(claim.scope.appId, profileId))) await this.#forget(profileId);
  }

  async #again(appId: number, { answer, profileId, followUp }: KeptAnswer): Promise<StoredAnswer> {
    if (profileId !== null) {
      const isErased = await this.isErased(appId, profileId);
      if (isErased === null) throw serviceUnavailable();
      if (isErased) return this.#forget(profileId);
    }
    this.#post(followUp);
    return answer;
  }

  /** @returns what is kept instead of all that shows the profile */
  async #forget(profileId: string): Promise<StoredAnswer> {
    const instead = answerOfErased();
    await this.store.forget(profileId, instead);
    return instead;
  }

  #post(followUp: string | null): void {
    if (followUp !== null) this.followUps.post(followUp);
  }
}

const reused = () =>
  new ApiError('IDEMPOTENCY_KEY_REUSED', 'Idempotency-Key was already used with another body; use a new key.');
