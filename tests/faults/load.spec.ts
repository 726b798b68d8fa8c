import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { newHistory, type History } from './history.ts';
import { Load } from './load.ts';

let server: Server;
afterEach(() => void server.close());

/** What a client writes down of a gateway that answers so, request after request; the last answer stays. */
async function historyOf(
  answers: readonly (readonly [status: number, text: string])[],
  repeatMs = 60_000,
): Promise<History> {
  let asked = 0;
  server = createServer((request, response) => {
    request.resume();
    const [status, text] = answers[Math.min(asked++, answers.length - 1)]!;
    response.writeHead(status).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const history = newHistory(1);
  const decisionOf = () => ({ decisionId: 'd', paywallId: 1 });
  const target = { gateways: () => [gateway], secretKey: 'k', placementId: 'p', decisionOf, repeatMs };
  const load = new Load(target, history, 1);
  await load.stop();
  server.closeAllConnections();
  return history;
}

const down = [503, '{"ok":false}'] as const;
const created = [201, '{"data":{"profileId":"p"}}'] as const;

it('asks once more for what it had to ask for twice, and writes both answers down', async () => {
  const other = [201, '{"data":{"profileId":"q"}}'] as const;
  const { profiles, answersAgain } = await historyOf([down, created, other]);
  expect(profiles.map(({ profileId }) => profileId)).toEqual(['p']);
  const [first, again] = [created, other].map(([status, text]) => `${status} ${text}`);
  expect(answersAgain).toEqual([{ request: expect.stringMatching(/^\/profiles [0-9a-f-]+$/), first, again }]);
});

it('asks for nothing again that was answered at once', async () => {
  expect(await historyOf([created])).toMatchObject({ answersAgain: [], unacknowledgedCreations: [] });
});

it.each([
  ['nobody knows', down, 'unknown'],
  ['was refused', [400, '{"ok":false}'] as const, 'refused'],
])('writes down a profile that %s', async (_, answer, outcome) => {
  const { profiles, unacknowledgedCreations } = await historyOf([answer], 200);
  expect(profiles).toEqual([]);
  expect(unacknowledgedCreations).toEqual([{ customerUserId: expect.stringMatching(/^user-/), outcome }]);
});
