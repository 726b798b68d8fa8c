import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 200;
const patienceMs = 2_000;

/** A request of a web API, by a POST. */
export interface Question {
  readonly path: string;
  readonly body: unknown;
}

/** One request, when it was sent and when it ended, in the milliseconds of `performance.now()`. */
export interface Attempt {
  readonly askedAt: number;
  readonly endedAt: number;
  /** Answered 2xx within 2 s. */
  readonly succeeded: boolean;
  /** No answer came within 2 s. */
  readonly hung: boolean;
}

/** Asks the same again and again, and notes when an answer came: what of the outages a user would have seen. */
export class Probe {
  /** In the order in which they ended. */
  readonly attempts: Attempt[] = [];
  readonly #asking: Promise<void>;
  #going = true;

  /** @param gateways base addresses of those that run now */
  constructor(gateways: () => readonly string[], secretKey: string, question: Question) {
    this.#asking = this.#ask(gateways, secretKey, question);
  }

  /** When a request succeeded, in order. */
  get answeredAt(): readonly number[] {
    return this.attempts.flatMap(({ endedAt, succeeded }) => (succeeded ? [endedAt] : []));
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#asking;
  }

  /** At a fixed rate, whatever becomes of the request before: late answers are no outage as long as they come. */
  async #ask(gateways: () => readonly string[], secretKey: string, { path, body }: Question): Promise<void> {
    const headers = { authorization: secretKey, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const asked: Promise<void>[] = [];
    for (; this.#going; await sleep(everyMs)) asked.push(this.#askOnce(`${gateways()[0]}/api/v1/web-api${path}`, init));
    await Promise.all(asked);
  }

  async #askOnce(url: string, init: RequestInit): Promise<void> {
    const askedAt = performance.now();
    const signal = AbortSignal.timeout(patienceMs);
    let succeeded = false;
    try {
      const answer = await fetch(url, { ...init, signal });
      succeeded = (await answer.text()) !== '' && answer.ok;
    } catch {
      // Nothing came: what the gaps between answers will show.
    }
    this.attempts.push({ askedAt, endedAt: performance.now(), succeeded, hung: !succeeded && signal.aborted });
  }
}
