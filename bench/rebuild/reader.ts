import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

const everyMs = 50;
const patienceMs = 10_000;

/** Of reads, how many there were, how many were not answered as before, and how long the slowest took in milliseconds. */
export interface Reads {
  readonly count: number;
  readonly failed: number;
  readonly slowestMs: number;
}

/** Reads pages that do not change, in turn and at a fixed rate, and holds each against its first answer. */
export class Reader {
  readonly #authorization: string;
  readonly #pages: readonly (readonly [url: string, content: string])[];
  readonly #connections: Agent;
  readonly #reading: Promise<void>;
  #going = true;
  #reads: Reads = { count: 0, failed: 0, slowestMs: 0 };

  private constructor(authorization: string, pages: readonly (readonly [string, string])[], connections: Agent) {
    this.#authorization = authorization;
    this.#pages = pages;
    this.#connections = connections;
    this.#reading = this.#readOn();
  }

  /** @throws if a page cannot be read now */
  static async open(urls: readonly string[], authorization: string): Promise<Reader> {
    const connections = new Agent({ connections: 16 });
    const pages = urls.map(async (url) => [url, await read(url, authorization, connections)] as const);
    return new Reader(authorization, await Promise.all(pages), connections);
  }

  async stop(): Promise<Reads> {
    this.#going = false;
    await this.#reading;
    await this.#connections.close();
    return this.#reads;
  }

  async #readOn(): Promise<void> {
    const asked: Promise<void>[] = [];
    for (let turn = 0; this.#going; turn++, await delay(everyMs))
      asked.push(this.#readOnce(...this.#pages[turn % this.#pages.length]!));
    await Promise.all(asked);
  }

  async #readOnce(url: string, content: string): Promise<void> {
    const begun = performance.now();
    const answer = await read(url, this.#authorization, this.#connections).catch(() => null);
    const { count, failed, slowestMs } = this.#reads;
    this.#reads = {
      count: count + 1,
      failed: failed + (answer === content ? 0 : 1),
      slowestMs: Math.max(slowestMs, performance.now() - begun),
    };
  }
}

/** @throws for any status but 200, and if there is no answer */
async function read(url: string, authorization: string, dispatcher: Agent): Promise<string> {
  const times = { headersTimeout: patienceMs, bodyTimeout: patienceMs };
  const { statusCode, body } = await request(url, { dispatcher, headers: { authorization }, ...times });
  const content = await body.text();
  if (statusCode !== 200) throw new Error(`GET ${url}: ${statusCode} ${content}`);
  return content;
}
