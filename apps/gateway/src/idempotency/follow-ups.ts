/**
 * Posts what follows from an answer: that a fallback was served, and supersedes selection's decision.
 *
 * Under one key at most one answer is kept, and no other is ever given. So whichever is kept decides, in every order of
 * failures, if its follow-up is posted after it is kept, and again whenever it is given again:
 * - The answer was not kept: nothing was posted. The next request may get selection's decision, which counts, or fall
 *   back itself.
 * - It was kept, and the database's word of that was lost, or the gateway died before it posted: the client knows
 *   nothing yet; the next request gets the kept answer, and posts.
 * - The work was taken over: only the other attempt's answer is kept, and only its follow-up is posted.
 *
 * To post twice must be as to post once: the inbox of the service that it goes to sees to that.
 */
export interface FollowUps {
  /** @throws ServiceOverloaded if it cannot be taken now: then the answer must not be given */
  post(followUp: string): void;
}
