import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from '@jest/globals';
import { Buying, type Seller } from './buying.ts';

let server: Server;
afterAll(() => void server?.close());

/** Sells under numbers of their own, without a store behind it. */
function seller(name: string): Seller {
  let last = 0;
  const round = async () => [{ path: '/validate', body: '{}' }];
  return { subscribe: () => ({ transactionIds: [`${name}${++last}`], rounds: [round, round] }) };
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
  const buying = new Buying({ gateways, appId: 1, secretKey: 'k' }, [seller('a'), seller('b')], 2);
  await expect(buying.stop()).rejects.toThrow('/profiles: 400');
  expect(buying.bought).toEqual([{ profileId: 'p2', transactionIds: ['b1'] }]);
  server.closeAllConnections();
});
