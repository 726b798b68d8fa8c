import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { send, type Answer } from '../conformance/http.ts';

/** A notification as a store sent it. */
export interface Letter {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const passedOn = ['content-type', 'authorization', 'stripe-signature'];

/** Stands between the stores and the gateway: keeps each notification, and passes it on unless told to hold it. */
export class PostOffice {
  readonly letters: Letter[] = [];
  readonly #gateway: string;
  readonly #server = createServer((incoming, outgoing) => {
    void this.#take(incoming).then((status) => outgoing.writeHead(status).end());
  });
  #isHolding = false;

  constructor(gateway: string) {
    this.#gateway = gateway;
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** What the stores send while `work` runs: kept, and not passed on. The stores think that it arrived. */
  async holding(work: () => Promise<void>): Promise<readonly Letter[]> {
    const before = this.letters.length;
    this.#isHolding = true;
    try {
      await work();
      return this.letters.slice(before);
    } finally {
      this.#isHolding = false;
    }
  }

  /** What the stores send while `work` runs, passed on. */
  async sentDuring(work: () => Promise<unknown>): Promise<readonly Letter[]> {
    const before = this.letters.length;
    await work();
    return this.letters.slice(before);
  }

  deliver({ path, headers, body }: Letter): Promise<Answer> {
    return send(this.#gateway, { method: 'POST', path, body, headers });
  }

  async #take(incoming: IncomingMessage): Promise<number> {
    const headers = passedOn.flatMap((name): [string, string][] => {
      const value = incoming.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const letter = { path: incoming.url ?? '', headers: Object.fromEntries(headers), body: await buffer(incoming) };
    this.letters.push(letter);
    if (this.#isHolding) return 200;
    try {
      return (await this.deliver(letter)).status;
    } catch {
      return 502;
    }
  }
}
