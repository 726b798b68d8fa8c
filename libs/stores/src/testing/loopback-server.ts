import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * How an answer goes wrong. `slow`: it never comes; `reset`: the connection breaks; `garbage`: JSON of no known form;
 * `moved`: it is said to be at `/moved`.
 */
export type AnswerFault =
  | 'malformed'
  | 'refused'
  | 'unpermitted'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'too-many'
  | 'broken'
  | 'html'
  | 'garbage'
  | 'slow'
  | 'reset'
  | 'moved';

/** A fault that waits for a request; `on`: for one to such a path. */
export interface WaitingFault {
  readonly kind: AnswerFault;
  readonly on?: RegExp;
}

export interface LoopbackRequest {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string;
  readonly body: string;
}

/** An object is answered as JSON, text as HTML. */
export interface LoopbackAnswer {
  readonly status: number;
  readonly body: object | string;
  readonly location?: string;
  /** In seconds. */
  readonly retryAfter?: number;
}

/** A request and the status of its answer; null: it got none. */
export interface LoopbackCall {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
}

const faulty: Readonly<Record<Exclude<AnswerFault, 'slow' | 'reset'>, LoopbackAnswer>> = {
  malformed: { status: 400, body: { error: { code: 400, message: 'Invalid value' } } },
  refused: { status: 401, body: { error: { code: 401, message: 'Invalid credentials' } } },
  // Google's word for a right that the account lacks; in other interfaces of its it is 403.
  unpermitted: {
    status: 401,
    body: { error: { code: 401, message: 'Insufficient', errors: [{ reason: 'permissionDenied' }] } },
  },
  forbidden: { status: 403, body: { error: { code: 403, message: 'Insufficient permissions' } } },
  'not-found': { status: 404, body: { error: { code: 404, message: 'Not found' } } },
  gone: { status: 410, body: { error: { code: 410, message: 'Gone' } } },
  'too-many': { status: 429, body: { error: { code: 429, message: 'Too many requests' } }, retryAfter: 7 },
  moved: { status: 307, body: '', location: '/moved' },
  broken: { status: 500, body: { error: { code: 500, message: 'Internal error' } } },
  html: { status: 200, body: '<html><body>Sign in</body></html>' },
  garbage: { status: 200, body: { data: 'none', lineItems: 7 } },
};

/** A small HTTP server on a free port of the loopback, whose answers can be made to go wrong. */
export class LoopbackServer {
  /** The next answers go wrong, one each. */
  readonly faults: WaitingFault[] = [];
  readonly calls: LoopbackCall[] = [];
  readonly #server: Server;
  readonly #answer: (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>;

  private constructor(answer: (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>) {
    this.#answer = answer;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(
    answer: (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>,
  ): Promise<LoopbackServer> {
    const server = new LoopbackServer(answer);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming);
    const waiting = this.faults.findIndex(({ on }) => on?.test(request.path) ?? true);
    const fault = waiting < 0 ? undefined : this.faults.splice(waiting, 1)[0]?.kind;
    const called = (status: number | null) => this.calls.push({ method: request.method, path: request.path, status });
    if (fault === 'slow' || fault === 'reset') {
      called(null);
      return fault === 'reset' ? void incoming.socket.destroy() : undefined;
    }
    const { status, body, location, retryAfter } = fault ? faulty[fault] : await this.#answer(request);
    called(status);
    response.statusCode = status;
    if (location !== undefined) response.setHeader('location', location);
    if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
    response.setHeader('content-type', typeof body === 'string' ? 'text/html' : 'application/json');
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

async function read(incoming: IncomingMessage): Promise<LoopbackRequest> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://loopback');
  return {
    method: incoming.method ?? '',
    path: decodeURIComponent(pathname),
    query: searchParams,
    authorization: incoming.headers.authorization ?? '',
    body: await text(incoming),
  };
}
