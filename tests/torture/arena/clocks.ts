import { createServer, type Server } from 'node:http';
import { loopback } from '@paywright/deploy/local/free-ports.ts';

/** Tells services the time, each its own: they ask every second how far ahead their clock is to be. */
export class Clocks {
  readonly #server: Server;
  readonly #url: string;
  readonly #aheadMs = new Map<string, number>();

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.#url = url;
    server.on('request', (request, response) => {
      request.resume();
      const [, service = ''] = (request.url ?? '').split('/');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ offset: this.#aheadMs.get(service) ?? 0 }));
    });
  }

  static async open(): Promise<Clocks> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, loopback, resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('An HTTP server has a port.');
    return new Clocks(server, `http://${loopback}:${address.port}`);
  }

  /** A service's SIMULATION_URL. */
  urlOf(service: string): string {
    return `${this.#url}/${service}`;
  }

  /** A running service takes over a greater offset within a second, a smaller one when it is started again. */
  set(service: string, aheadMs: number): void {
    this.#aheadMs.set(service, aheadMs);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
