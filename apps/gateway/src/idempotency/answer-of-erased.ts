import { errorEnvelope } from '../http/error-answer.ts';
import { profileNotFound } from '../profiles/profile-ids.ts';
import type { StoredAnswer } from './idempotency-store.ts';

/** What is kept in the place of an answer that shows who was erased. */
export function answerOfErased(): StoredAnswer {
  const gone = profileNotFound();
  return { status: gone.status, body: JSON.stringify(errorEnvelope(gone)) };
}
