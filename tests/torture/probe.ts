import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 200;
const patienceMs = 2_000;

/** Asks for a paywall again and again, and notes when one came: what of the outages a user would have seen. */
export class Probe {
  /** In order, in the milliseconds of `performance.now()`. */
  readonly answeredAt: number[] = [];
  readonly #asking: Promise<void>;
  #going = true;

  /** @param gateways base addresses of those that run now */
  constructor(gateways: () => readonly string[], secretKey: string, body: object) {
    this.#asking = this.#ask(gateways, secretKey, JSON.stringify(body));
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#asking;
  }

  /** At a fixed rate, whatever becomes of the request before: late answers are no outage as long as they come. */
  async #ask(gateways: () => readonly string[], secretKey: string, body: string): Promise<void> {
    const headers = { authorization: secretKey, 'content-type': 'application/json' };
    const asked: Promise<void>[] = [];
    for (; this.#going; await sleep(everyMs))
      asked.push(this.#askOnce(`${gateways()[0]}/api/v1/web-api/paywalls`, { method: 'POST', headers, body }));
    await Promise.all(asked);
  }

  async #askOnce(url: string, init: RequestInit): Promise<void> {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
      if ((await answer.text()) !== '' && answer.ok) this.answeredAt.push(performance.now());
    } catch {
      // No paywall came: what the gaps between those that did will show.
    }
  }
}
