import type { Pool } from 'pg';
import type { AnswerToKeep, KeyClaim } from './idempotency-store.ts';
import { PostgresIdempotencyStore } from './postgres-idempotency-store.ts';

/** A defect: answers are kept as jsonb, which keeps neither spaces nor the order of keys. */
export class PostgresJsonbAnswers extends PostgresIdempotencyStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super(pool);
    this.#pool = pool;
  }

  override async answer(claim: KeyClaim, answer: AnswerToKeep): Promise<boolean> {
    const { rows } = await this.#pool.query<{ body: string }>('select $1::jsonb::text as body', [answer.body]);
    return super.answer(claim, { ...answer, body: rows[0]?.body ?? answer.body });
  }
}
