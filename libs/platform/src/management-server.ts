import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { totalmem } from 'node:os';
import { json as readJson } from 'node:stream/consumers';
import type { Metrics } from './metrics.ts';

/** One of the things that must be well before a process may be sent work. */
export interface HealthCheck {
  readonly name: string;
  /** True, or the reason why not. */
  ready(): boolean | string;
}

/** Ready for good once it was: of what a process has to have had, and can do without for a while. */
export function readyFromThen(check: HealthCheck): HealthCheck {
  let wasReady = false;
  const ready = () => {
    if (wasReady) return true;
    const result = check.ready();
    wasReady = result === true;
    return result;
  };
  return { name: check.name, ready };
}

/** What the container allows, or all that the machine has, in bytes. Of no container Node says 0, or more than there is. */
const memoryLimit = (): number => Math.min(process.constrainedMemory() || Infinity, totalmem());

/** One more thing that a management server takes, by POST. */
export interface ManagementRoute {
  readonly path: string;
  /** @param body as parsed JSON; what is thrown is answered with 400 */
  post(body: unknown): object;
  /** Told once where the server is: http://host:port, without a path. */
  servedAt(url: string): void;
}

export interface ManagementServer {
  /** http://host:port, without a path. */
  readonly url: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

export interface ManagementServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly checks: readonly HealthCheck[];
  readonly metrics: Metrics;
  /** The process's clock: what it needs to be told when it is simulated. */
  readonly clock?: { readonly route: ManagementRoute | null };
}

/**
 * Serves /health/live (the process alone), /health/ready (every check; 503 names those that are not) and
 * /metrics (Prometheus), apart from any public port.
 */
export async function startManagementServer(options: ManagementServerOptions): Promise<ManagementServer> {
  const { checks, metrics } = options;
  metrics.gauge('process_ready', '1 if the process may be sent work: what /health/ready answers', [], () =>
    readiness(checks).status === 200 ? 1 : 0,
  );
  metrics.gauge('process_memory_limit_bytes', 'How much memory the process may have', [], memoryLimit);
  const server = createServer((request, response) => void respond(request, response, options));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
  });
  const address = server.address();
  const url = `http://${hostInUrl(options.host)}:${isSocketAddress(address) ? address.port : options.port}`;
  options.clock?.route?.servedAt(url);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: ManagementServerOptions,
): Promise<void> {
  const { status, type, body } = await answer(request, options).catch(() => json(500, { status: 'error' }));
  const allow = status === 405 && { allow: 'GET, HEAD' };
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...allow });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answer(request: IncomingMessage, { checks, metrics, clock }: ManagementServerOptions): Promise<Answer> {
  const route = clock?.route;
  if (route && request.method === 'POST' && request.url === route.path) return posted(route, request);
  if (request.method !== 'GET' && request.method !== 'HEAD') return json(405, { status: 'method not allowed' });
  switch (request.url?.split('?')[0]) {
    case '/health/live':
      return json(200, { status: 'live' });
    case '/health/ready':
      return readiness(checks);
    case '/metrics':
      return { status: 200, type: metrics.registry.contentType, body: await metrics.text() };
    default:
      return json(404, { status: 'not found' });
  }
}

async function posted(route: ManagementRoute, request: IncomingMessage): Promise<Answer> {
  try {
    return json(200, route.post(await readJson(request)));
  } catch {
    return json(400, { status: 'bad request' });
  }
}

function readiness(checks: readonly HealthCheck[]): Answer {
  const results = checks.map((check) => [check.name, isReady(check)] as const);
  const ready = results.every(([, result]) => result === true);
  return json(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(results) });
}

function isReady(check: HealthCheck): boolean | string {
  try {
    return check.ready();
  } catch {
    return 'the check itself failed';
  }
}

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);
const isSocketAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;
