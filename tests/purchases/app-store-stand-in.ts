import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { send } from '../conformance/http.ts';

/** What the stand-in says of a transaction in place of the simulated App Store. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Stands before the simulated App Store's API, and answers for it what a test wants said of a transaction id.
 * Everything else is passed on.
 */
export class AppStoreStandIn {
  /** By the last part of the path: a transaction id. */
  readonly scripted = new Map<string, ScriptedAnswer>();
  #simulator = '';
  readonly #server = createServer((incoming, outgoing) => {
    this.#answer(incoming).then(
      ({ status, body }) => outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body),
      () => outgoing.destroy(),
    );
  });

  /** @returns the addresses of production and sandbox */
  async open(): Promise<{ production: string; sandbox: string }> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return { production: `http://127.0.0.1:${port}/production`, sandbox: `http://127.0.0.1:${port}/sandbox` };
  }

  passOnTo(simulator: string): void {
    this.#simulator = simulator;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage): Promise<ScriptedAnswer> {
    const { url = '', method = 'GET', headers } = incoming;
    const script = this.scripted.get(new URL(url, 'http://store').pathname.split('/').at(-1) ?? '');
    if (script) return script;
    const body = await buffer(incoming);
    const answer = await send(this.#simulator, {
      ...{ method, path: `/app-store-api${url}`, body: body.length > 0 ? body : undefined },
      headers: { authorization: headers.authorization, 'content-type': headers['content-type'] },
    });
    return { status: answer.status, body: answer.text };
  }
}
