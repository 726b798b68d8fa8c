import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Realm } from '../http/realm.ts';
import { installBodyBudget } from './body-budget.ts';

const mebibytes = (count: number) => Buffer.alloc(count * 1_048_576);
const large = mebibytes(40); // of two, one has room

let http: FastifyInstance;
let url: string;
let taken: number;
let refused: number;
let mayFinish: PromiseWithResolvers<void>;
beforeEach(async () => {
  http = Fastify({ bodyLimit: mebibytes(50).length });
  [taken, refused, mayFinish] = [0, 0, Promise.withResolvers<void>()];
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  installBodyBudget(http, (reply) => {
    refused += 1;
    void reply.code(503).send();
  });
  http.post('/', { config: { realm: {} as Realm, priority: 'notification' } }, async () => {
    taken += 1;
    await mayFinish.promise;
    return 'taken';
  });
  url = await http.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  mayFinish.resolve();
  await http.close();
});

const headers = { 'content-type': 'text/plain' };
const answered = async (response: Response) => {
  await response.text();
  return response.status;
};
const post = async (body: Buffer) => answered(await fetch(url, { method: 'POST', body, headers }));
const postChunked = async (body: Buffer) =>
  answered(await fetch(url, { method: 'POST', body: new Blob([body]).stream(), headers, duplex: 'half' }));
const decided = async (count: number) => {
  while (taken + refused < count) await delay(1);
};
/** A refused one may see its connection end while it still sends. */
const orClosed = (answer: Promise<number>) => answer.catch(() => 'closed');

it('holds the room of a large body until it is answered, not only until it is read', async () => {
  const waiting = post(large);
  await decided(1);
  const second = orClosed(post(large));
  await decided(2);
  expect([taken, refused]).toEqual([1, 1]);
  await second;
  mayFinish.resolve();
  expect(await waiting).toBe(200);
  expect(await post(large)).toBe(200);
});

it('does not count small bodies that came in chunks, however many wait', async () => {
  const small = Array.from({ length: 150 }, () => postChunked(Buffer.from('{}')));
  await decided(small.length);
  expect([taken, refused]).toEqual([small.length, 0]);
  mayFinish.resolve();
  expect(new Set(await Promise.all(small))).toEqual(new Set([200]));
});

it('counts a large body that came in chunks with its length, and one that still comes with all that it may have', async () => {
  const waiting = postChunked(large);
  await decided(1);
  const fitting = post(mebibytes(20));
  await decided(2);
  expect([taken, refused]).toEqual([2, 0]);
  const second = orClosed(postChunked(Buffer.from('{}')));
  await decided(3);
  expect([taken, refused]).toEqual([2, 1]);
  await second;
  mayFinish.resolve();
  expect(await Promise.all([waiting, fitting])).toEqual([200, 200]);
  expect(await postChunked(large)).toBe(200);
});
