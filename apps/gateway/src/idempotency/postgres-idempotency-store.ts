import type { Pool } from 'pg';
import {
  IdempotencyStore,
  type AnswerToKeep,
  type ClaimRequest,
  type KeyClaim,
  type KeyScope,
  type KeyState,
  type StoredAnswer,
} from './idempotency-store.ts';
import { answerKey } from './sql/answer-key.sql.ts';
import { claimKey } from './sql/claim-key.sql.ts';
import { findKey } from './sql/find-key.sql.ts';
import { forgetAnswers } from './sql/forget-answers.sql.ts';
import { purgeKeys } from './sql/purge-keys.sql.ts';
import { releaseKey } from './sql/release-key.sql.ts';

interface KeyRow {
  readonly fingerprint: Buffer;
  readonly lease_until: Date;
  readonly status: number | null;
  readonly body: string | null;
  readonly profile_id: string | null;
  readonly follow_up: string | null;
}

/** Keys in the table of prisma/gateway. Times come from the caller's clock, never from the database's. */
export class PostgresIdempotencyStore extends IdempotencyStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super();
    this.#pool = pool;
  }

  override async claim(request: ClaimRequest): Promise<KeyClaim | null> {
    const { scope, fingerprint, commandId, now, leaseUntil, expiresAt } = request;
    const times = [now, leaseUntil, expiresAt].map(timestamp);
    const { rows } = await this.#pool.query<{ command_id: string; attempt: number; expires_at: Date }>({
      ...claimKey,
      values: [...keyOf(scope), fingerprint, commandId, ...times],
    });
    const [row] = rows;
    if (row === undefined) return null;
    return { scope, commandId: row.command_id, attempt: row.attempt, expiresAt: row.expires_at.getTime() };
  }

  override async find(scope: KeyScope, now: number): Promise<KeyState | null> {
    const values = [...keyOf(scope), timestamp(now)];
    const { rows } = await this.#pool.query<KeyRow>({ ...findKey, values });
    const [row] = rows;
    if (row === undefined) return null;
    const { fingerprint, status, body, profile_id: profileId, follow_up: followUp } = row;
    if (status !== null && body !== null)
      return { kind: 'answered', fingerprint, answer: { status, body }, profileId, followUp };
    return { kind: 'running', fingerprint, leaseUntil: row.lease_until.getTime() };
  }

  override async answer({ scope, attempt }: KeyClaim, answer: AnswerToKeep): Promise<boolean> {
    const { status, body, profileId, followUp } = answer;
    const values = [...keyOf(scope), attempt, status, body, profileId, followUp];
    const { rowCount } = await this.#pool.query({ ...answerKey, values });
    return rowCount === 1;
  }

  override async forget(profileId: string, { status, body }: StoredAnswer): Promise<void> {
    await this.#pool.query({ ...forgetAnswers, values: [profileId, status, body] });
  }

  override async release({ scope, attempt }: KeyClaim): Promise<void> {
    await this.#pool.query({ ...releaseKey, values: [...keyOf(scope), attempt] });
  }

  override async purge(now: number, limit: number): Promise<number> {
    const { rowCount } = await this.#pool.query({ ...purgeKeys, values: [timestamp(now), limit] });
    return rowCount ?? 0;
  }
}

const keyOf = ({ appId, key, method, path }: KeyScope) => [appId, key, method, path];
const timestamp = (ms: number) => new Date(ms);
