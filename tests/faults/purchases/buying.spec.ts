import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from '@jest/globals';
import { Buying } from './buying.ts';

let server: Server;
afterAll(() => void server?.close());

/** Sells under numbers of their own, without a store behind it. */
function seller() {
  let last = 0;
  const sell = () => {
    const id = String(++last);
    return { transactionId: id, originalTransactionId: id, productId: 'pro', notification: '{}' };
  };
  return { sell, renew: sell };
}

it('keeps what the others bought where one is refused', async () => {
  let profiles = 0;
  server = createServer((request, response) => {
    request.resume();
    const isProfile = request.url?.endsWith('/profiles');
    const isRefused = isProfile && ++profiles === 1;
    response.writeHead(isRefused ? 400 : 200).end(`{"data":{"profileId":"p${profiles}"}}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateways = () => [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
  const buying = new Buying({ gateways, appId: 1, secretKey: 'k' }, seller(), 2);
  await expect(buying.stop()).rejects.toThrow('/profiles: 400');
  expect(buying.bought).toEqual([{ profileId: 'p2', transactionIds: ['1', '2', '3'] }]);
  server.closeAllConnections();
});
