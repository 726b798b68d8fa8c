import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { SystemClock } from '@paywright/platform';
import { AppStoreClient } from './app-store-client.ts';
import { KeptBearer } from './kept-bearer.ts';
import { credentials, inTime } from './testing/app-store-world.ts';

/** What a server that answers so sees, and what the client makes of it. */
async function ask(listener: RequestListener, signal: AbortSignal) {
  const urls: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    urls.push(request.url);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const baseUrl = `http://127.0.0.1:${port}`;
    const bearer = new KeptBearer(new SystemClock());
    const client = new AppStoreClient('com.example', credentials, { baseUrl, bearer, signal });
    const outcome = await client.getTransactionInfo('2000').catch((error: unknown) => error);
    return { outcome, urls };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('AppStoreClient', () => {
  it('asks the address that it is given, without an empty query', async () => {
    const { outcome, urls } = await ask((_, response) => response.end('{"signedTransactionInfo":"x"}'), inTime());
    expect(outcome).toEqual({ signedTransactionInfo: 'x' });
    expect(urls).toEqual(['/inApps/v1/transactions/2000']);
  });

  it('follows no redirect: the bearer would go along', async () => {
    const { outcome, urls } = await ask((_, response) => response.writeHead(307, { location: '/x' }).end(), inTime());
    expect(outcome).toMatchObject({ name: 'TypeError' });
    expect(urls).toHaveLength(1);
  });

  it('closes a request whose time is over, before the answer and within it', async () => {
    const late = { name: 'TimeoutError' };
    expect((await ask(() => undefined, AbortSignal.timeout(50))).outcome).toMatchObject(late);
    expect((await ask((_, response) => response.write('{'), AbortSignal.timeout(50))).outcome).toMatchObject(late);
    expect((await ask(() => undefined, AbortSignal.abort())).urls).toEqual([]);
  });
});
