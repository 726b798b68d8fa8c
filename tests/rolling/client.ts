import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Balancer } from './balancer.ts';

/** One request of a client, with what its contract lets it repeat. */
export interface Exchange {
  readonly path: string;
  /** Of the last answer; what went wrong with the connection, if there was none. */
  readonly status: number | string;
  /** Times that it was refused before that: a connection that nobody took, or 503 with Retry-After. */
  readonly repeats: number;
  /** From when it was to be sent to its answer; both in the milliseconds of `performance.now()`. */
  readonly dueAt: number;
  readonly answeredAt: number;
}

export interface Answer {
  readonly ok: boolean;
  /** Times that it was refused before: with 503 it may have happened all the same. */
  readonly repeats: number;
  readonly data: Record<string, unknown>;
}

const timeoutMs = 12_000;
const patienceMs = 10_000;
const refusedPauseMs = 50;

/**
 * Posts, and writes down what came of it. It repeats what the contract lets it repeat and nothing else: a connection
 * that was refused, since nobody has seen the request, and 503 with Retry-After, after so many seconds; writes under one
 * Idempotency-Key.
 */
export class Client {
  readonly exchanges: Exchange[] = [];
  readonly #balancer: Balancer;

  constructor(balancer: Balancer) {
    this.#balancer = balancer;
  }

  /** @param dueAt when it was to be sent, whatever held it up */
  async post(path: string, body: unknown, headers: Record<string, string>, dueAt = performance.now()): Promise<Answer> {
    const key = path.endsWith('/paywalls') ? {} : { 'idempotency-key': randomUUID() };
    for (let repeats = 0; ; repeats++) {
      const { status, retryAfterMs, data } = await this.#postOnce(path, body, { ...headers, ...key });
      const answeredAt = performance.now();
      if (retryAfterMs === null || answeredAt - dueAt > patienceMs) {
        this.exchanges.push({ path, status, repeats, dueAt, answeredAt });
        return { ok: typeof status === 'number' && status < 300, repeats, data };
      }
      await sleep(retryAfterMs);
    }
  }

  async #postOnce(path: string, body: unknown, headers: Record<string, string>) {
    try {
      const answer = await fetch(`${this.#balancer.next()}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { data = {} } = (await answer.json()) as { data?: Answer['data'] };
      const after = answer.status === 503 ? answer.headers.get('retry-after') : null;
      return { status: answer.status, retryAfterMs: after === null ? null : Number(after) * 1_000, data };
    } catch (error) {
      const reason = reasonOf(error);
      return { status: reason, retryAfterMs: reason === 'ECONNREFUSED' ? refusedPauseMs : null, data: {} };
    }
  }
}

/** What a connection died of: ECONNREFUSED, ECONNRESET, UND_ERR_SOCKET … */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.message;
}
