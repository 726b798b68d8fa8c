import type { LoopbackServer } from './loopback-server.ts';

/** A store's interface on a loopback server: what all of them show of it. */
export abstract class StoreApiServer {
  readonly #http: LoopbackServer;

  protected constructor(http: LoopbackServer) {
    this.#http = http;
  }

  get url(): string {
    return this.#http.url;
  }

  get faults() {
    return this.#http.faults;
  }

  get calls() {
    return this.#http.calls;
  }

  stop(): Promise<void> {
    return this.#http.stop();
  }
}
