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

  async #ask(gateways: () => readonly string[], secretKey: string, body: string): Promise<void> {
    const headers = { authorization: secretKey, 'content-type': 'application/json' };
    for (; this.#going; await sleep(everyMs)) {
      const signal = AbortSignal.timeout(patienceMs);
      const url = `${gateways()[0]}/api/v1/web-api/paywalls`;
      const answered = await fetch(url, { method: 'POST', headers, body, signal }).then(
        async (answer) => (await answer.text()) !== '' && answer.ok,
        () => false,
      );
      if (answered) this.answeredAt.push(performance.now());
    }
  }
}
