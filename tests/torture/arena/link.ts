import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { loopback } from '@paywright/deploy/local/free-ports.ts';

/**
 * What a link does with bytes: `open` passes them on. `cut`: no connection stands or comes up. `silent`: connections
 * stand, and nothing passes, either way. `answers-lost`: requests pass, answers vanish, so the server did what nobody
 * hears of. A number: everything arrives so many milliseconds late.
 */
export type LinkState = 'open' | 'cut' | 'silent' | 'answers-lost' | number;

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Disturbs them for a while. */
export async function disturb(links: readonly Link[], state: LinkState, lastsMs: number): Promise<void> {
  for (const link of links) link.set(state);
  await sleep(lastsMs);
  for (const link of links) link.set('open');
}

/** A TCP connection's way between a service and a server, which can be disturbed. */
export class Link {
  readonly port: number;
  readonly #listener: Server;
  readonly #targetPort: number;
  readonly #pairs = new Set<Pair>();
  #state: LinkState = 'open';

  private constructor(listener: Server, port: number, targetPort: number) {
    this.#listener = listener;
    this.port = port;
    this.#targetPort = targetPort;
    listener.on('connection', (client) => this.#accept(client));
  }

  /** @param targetPort on the loopback */
  static async open(targetPort: number): Promise<Link> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, loopback, resolve));
    const address = listener.address();
    if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
    return new Link(listener, address.port, targetPort);
  }

  get state(): LinkState {
    return this.#state;
  }

  /** From `silent` and `answers-lost` no connection survives: what was lost on the way stays lost. */
  set(state: LinkState): void {
    const former = this.#state;
    this.#state = state;
    if (state === 'cut' || former === 'silent' || former === 'answers-lost') this.#endAll();
  }

  async close(): Promise<void> {
    this.set('cut');
    await new Promise((resolve) => this.#listener.close(resolve));
  }

  #accept(client: Socket): void {
    if (this.#state === 'cut') return void client.destroy();
    const pair = { client, server: connect(this.#targetPort, loopback) };
    this.#pairs.add(pair);
    this.#pass(pair, pair.client, pair.server, () => this.#state !== 'silent');
    this.#pass(pair, pair.server, pair.client, () => this.#state !== 'silent' && this.#state !== 'answers-lost');
  }

  #pass(pair: Pair, from: Socket, to: Socket, passes: () => boolean): void {
    let sent: Promise<unknown> = Promise.resolve();
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      if (!passes()) return;
      const delayMs = typeof this.#state === 'number' ? this.#state : 0;
      if (delayMs === 0) return void to.write(bytes);
      sent = Promise.all([sent, sleep(delayMs)]).then(() => to.write(bytes));
    });
    const end = () => {
      this.#pairs.delete(pair);
      if (passes()) to.destroy(); // else the other side does not learn of it yet
    };
    from.on('close', end);
    from.on('error', end);
  }

  #endAll(): void {
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
    this.#pairs.clear();
  }
}
