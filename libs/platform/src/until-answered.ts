import { waitBefore, type BackOff } from './back-off.ts';

/** How somebody waits for an answer. */
export interface Patience {
  /** Between two questions. */
  readonly pause: BackOff;
  /** For ever if absent. */
  readonly lastsMs?: number;
  /** Whether an error may be another one, or none, when it is asked again. */
  readonly passes: (error: unknown) => boolean;
  /** What an error says of the question itself, so that it is thrown in its place at once; null of any other. */
  readonly refusalOf?: (error: unknown) => Error | null;
  /** Ends the wait: an answer that comes behind it is none. */
  readonly until?: AbortSignal | undefined;
  /** Told of each error that is waited out. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Asks again and again until there is an answer.
 * @throws a refusal; an error that waiting does not change; the last one when the patience ends; the signal's reason
 */
export async function untilAnswered<T>(ask: () => Promise<T>, patience: Patience): Promise<T> {
  const { pause, lastsMs = Infinity, passes, refusalOf, until, onFailure } = patience;
  const end = performance.now() + lastsMs;
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await ask();
      if (!until?.aborted) return answer;
    } catch (error) {
      const refusal = refusalOf?.(error) ?? null;
      if (refusal !== null) throw refusal;
      if (!passes(error) || performance.now() > end) throw error;
      onFailure?.(error);
    }
    await waitBefore(attempt, pause, until);
    until?.throwIfAborted();
  }
}
