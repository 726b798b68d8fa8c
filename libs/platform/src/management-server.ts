import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

/** One of the things that must be well before a process may be sent work. */
export interface HealthCheck {
  readonly name: string;
  /** True, or the reason why not. */
  ready(): boolean | string;
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

/**
 * Serves /health/live (the process alone), /health/ready (every check; 503 names those that are not) and
 * /metrics (Prometheus), apart from any public port.
 * @param port 0 takes a free one
 */
export async function startManagementServer(options: {
  host: string;
  port: number;
  checks: readonly HealthCheck[];
  metrics: Metrics;
}): Promise<ManagementServer> {
  const server = createServer((request, response) => void respond(request, response, options.checks, options.metrics));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
  });
  const address = server.address();
  return {
    url: `http://${hostInUrl(options.host)}:${isSocketAddress(address) ? address.port : options.port}`,
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
  checks: readonly HealthCheck[],
  metrics: Metrics,
): Promise<void> {
  const { status, type, body } = await answer(request, checks, metrics).catch(() => json(500, { status: 'error' }));
  const allow = status === 405 && { allow: 'GET, HEAD' };
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...allow });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answer(request: IncomingMessage, checks: readonly HealthCheck[], metrics: Metrics): Promise<Answer> {
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
