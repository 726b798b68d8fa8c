import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { build, type Histogram } from 'hdr-histogram-js';
import { Agent, request } from 'undici';

const maxTries = 8;
const timeoutMs = 15_000;

/** A client as an app's server would have it: keys for safe repeats, and a repeat where the API says that it is safe. */
export class ReplayClient {
  /** Latency of each answered try, in microseconds, by path. */
  readonly latencies = new Map<string, Histogram>();
  /** Tries that got 429 or 503, or no answer. */
  repeats = 0;
  readonly #url: string;
  readonly #authorization: string;
  readonly #connections: Agent;

  constructor(url: string, authorization: string, connections: number) {
    this.#url = url;
    this.#authorization = authorization;
    this.#connections = new Agent({ connections });
  }

  /** `data` of the success. @throws on a refusal, and when 8 tries did not help */
  async call<Data>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Data> {
    const { data } = await this.#page<Data>(method, path, body);
    return data;
  }

  /** All pages of a list. */
  async all<Entry>(path: string): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `${path}?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page: { data: Entry[]; nextCursor: string | null } = await this.#page<Entry[]>('GET', query);
      entries.push(...page.data);
      cursor = page.nextCursor;
    }
    return entries;
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #page<Data>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: unknown,
  ): Promise<{ data: Data; nextCursor: string | null }> {
    const headers = {
      authorization: this.#authorization,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    };
    const text = body === undefined ? null : JSON.stringify(body);
    for (let tries = 1; ; tries++, this.repeats++) {
      const answer = await this.#send({ method, path, headers, body: text }).catch((error: Error) => ({
        status: 0,
        text: error.message,
        waitMs: 200,
      }));
      if (answer.status >= 200 && answer.status < 300) return JSON.parse(answer.text);
      const isPassing = [0, 429, 503].includes(answer.status);
      if (!isPassing || tries === maxTries) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      await delay(answer.waitMs);
    }
  }

  async #send({
    path,
    ...options
  }: {
    method: 'GET' | 'POST' | 'PUT';
    path: string;
    headers: Record<string, string>;
    body: string | null;
  }) {
    const sent = performance.now();
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    const { statusCode, headers, body } = await request(`${this.#url}${path}`, {
      ...options,
      ...timeouts,
      dispatcher: this.#connections,
    });
    const text = await body.text();
    this.#record(`${options.method} ${path.split('?')[0]}`, performance.now() - sent);
    return { status: statusCode, text, waitMs: 1000 * Number(headers['retry-after'] ?? 1) };
  }

  #record(name: string, milliseconds: number): void {
    const histogram =
      this.latencies.get(name) ?? build({ highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: 3 });
    this.latencies.set(name, histogram);
    histogram.recordValue(Math.max(1, Math.round(milliseconds * 1000)));
  }
}
