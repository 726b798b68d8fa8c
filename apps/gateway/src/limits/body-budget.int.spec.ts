import { expect, it } from '@jest/globals';
import Fastify from 'fastify';
import type { Realm } from '../http/realm.ts';
import { installBodyBudget } from './body-budget.ts';

const large = Buffer.alloc(40 * 1_048_576); // of two, one has room

it('holds the room of a large body until it is answered, not only until it is read', async () => {
  const http = Fastify({ bodyLimit: 2 * large.length });
  let taken = 0;
  const [arrived, mayFinish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  installBodyBudget(http, (reply) => void reply.code(503).send());
  http.post('/', { config: { realm: {} as Realm, priority: 'notification' } }, async () => {
    arrived.resolve();
    if (++taken === 1) await mayFinish.promise;
    return 'taken';
  });
  const url = await http.listen({ port: 0, host: '127.0.0.1' });
  const post = async () => {
    const answer = await fetch(url, { method: 'POST', body: large, headers: { 'content-type': 'text/plain' } });
    await answer.text();
    return answer.status;
  };

  const waiting = post();
  await arrived.promise;
  await post().catch(() => undefined); // refused, or its connection ends while it still sends
  expect(taken).toBe(1);
  mayFinish.resolve();
  expect(await waiting).toBe(200);
  expect(await post()).toBe(200);
  await http.close();
});
