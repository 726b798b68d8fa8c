import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '@paywright/platform';
import { ocspAnswerType } from '@paywright/stores/testing';
import { CallRefused, readCall, type Answer, type Call } from './call.ts';

/** What becomes of a call: an answer, or none at all. `reset` breaks the connection, `silence` lets the caller wait. */
export type Reaction = Answer | 'reset' | 'silence';

export interface HttpServer {
  /** http://host:port */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves on the port that is wished or, where that is 0, on the one preferred if it is free.
 * @throws if the wished port is taken
 */
export async function startHttpServer(
  { host, port, preferred }: { host: string; port: number; preferred: number },
  react: (call: Call) => Promise<Reaction>,
  logger: Logger,
): Promise<HttpServer> {
  const server = createServer((incoming, response) => void serve(incoming, response, react, logger));
  server.keepAliveTimeout = 60_000;
  await listen(server, host, port || preferred).catch((error: unknown) => {
    if (port !== 0 || preferred === 0) throw error;
    return listen(server, host, 0);
  });
  const taken = portOf(server);
  return {
    url: urlOf(host, taken),
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Of a server that listens on one. */
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  react: (call: Call) => Promise<Reaction>,
  logger: Logger,
): Promise<void> {
  const reaction = await readCall(incoming)
    .then(react)
    .catch((error: unknown): Answer => {
      if (error instanceof CallRefused) return error.answer;
      logger.error({ error }, 'A call on the simulator failed');
      return { status: 500, body: { error: 'The simulator has a defect; its log says more.', code: 'INTERNAL_ERROR' } };
    });
  if (reaction === 'silence') return;
  if (reaction === 'reset') return void incoming.socket.destroy();
  const { status, body } = reaction;
  if (body instanceof Uint8Array) response.writeHead(status, { 'content-type': ocspAnswerType }).end(body);
  else if (typeof body === 'string')
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
  else
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(body === null ? undefined : JSON.stringify(body));
}
