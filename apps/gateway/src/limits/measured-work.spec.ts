import { mock } from 'node:test';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { measureWork, type WorkReader } from './measured-work.ts';

const workMs = 30;
let now = 0;

let begun: string[] = [];
let ended: (number | null)[] = [];
const reader: WorkReader = {
  enter: (priority) => void begun.push(priority),
  leave: (_priority, tookMs) => void ended.push(tookMs),
};

const http = fastify();
http.addHook('preValidation', async (request, reply) =>
  request.headers['x-refuse'] ? reply.code(503).send() : undefined,
);
measureWork(http, [reader, reader]);
http.post('/:status', { config: { priority: 'paywall' } }, async (request, reply) => {
  now += workMs;
  return reply.code(Number(request.url.slice(1))).send({});
});
const post = (status: number, headers = {}) => http.inject({ method: 'POST', url: `/${status}`, headers, payload: {} });

beforeEach(() => {
  begun = [];
  ended = [];
  mock.method(performance, 'now', () => now);
});
afterEach(() => mock.restoreAll());
afterAll(() => http.close());

it('tells every reader the same: which work begins, and how long it took', async () => {
  await post(201);
  expect(begun).toEqual(['paywall', 'paywall']);
  expect(ended).toEqual([workMs, workMs]);
});

it('tells of what did not succeed that it ended, and no time', async () => {
  await post(422);
  expect(ended).toEqual([null, null]);
});

it('does not tell of what is refused before', async () => {
  expect((await post(201, { 'x-refuse': 'yes' })).statusCode).toBe(503);
  expect([begun, ended]).toEqual([[], []]);
});
