import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A notification as it came in. */
export interface Received {
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

/** What stands in for a gateway: keeps what it is sent, and answers as it is told. */
export interface NotifiedGateway extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** The status of the answers; by default 200. */
  status: number;
}

/** @param onReceived called before the answer: what it throws is answered with 400 */
export async function notifiedGateway(onReceived: (received: Received) => Promise<void>): Promise<NotifiedGateway> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const header = (name: string) => [request.headers[name]].flat()[0];
      const one = { path: request.url ?? '', header, body };
      received.push(one);
      const status = await onReceived(one).then(
        () => gateway.status,
        () => 400,
      );
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const gateway: NotifiedGateway = {
    url: `http://127.0.0.1:${port}`,
    received,
    status: 200,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}
