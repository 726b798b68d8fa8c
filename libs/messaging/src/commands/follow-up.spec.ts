import { expect, it } from '@jest/globals';
import { RecordNotification, refuse, topics } from '@paywright/contracts';
import type { ReceivedMessage } from '../message.ts';
import { decodeCommands } from './decode-commands.ts';
import { decodeReply } from './decode-reply.ts';
import { inPlaceOf, refusalOf, unawaitedCommand } from './follow-up.ts';

const id = '0192f0c1-6a52-7c7e-9a51-8f2d3f0a7b11';
const body = {
  store: 'stripe',
  notification: { notificationId: 'evt_1', notificationType: 'x', subtype: null },
} as const;
const headers = {
  id,
  type: 'ValidatePurchase',
  version: '1',
  app: '7',
  'issued-at': '1000',
  deadline: '9000',
  'reply-partition': '3',
};
const request: ReceivedMessage = {
  topic: topics.purchaseRequests,
  partition: 0,
  offset: '5',
  key: 'chain',
  headers,
  value: null,
  timestamp: 1000,
};
const received = ({ key, headers, value }: ReturnType<typeof unawaitedCommand>): ReceivedMessage => ({
  ...request,
  key: key ?? null,
  headers,
  value: Buffer.from(String(value)),
});

it('a command in place of a request has its id, its deadline and whoever waits', () => {
  const message = inPlaceOf(request, RecordNotification, { key: 'other', body });
  expect(message).toMatchObject({ topic: topics.purchaseCommands, key: 'other' });
  expect(message.headers).toEqual({ ...headers, type: 'RecordNotification' });
  const { commands, deadLetters } = decodeCommands(topics.purchaseCommands, [received(message)]);
  expect(deadLetters).toEqual([]);
  expect(commands).toMatchObject([{ id, appId: 7, key: 'other', deadline: 9000, body }]);
});

it('a command of our own accord has nobody who waits, and never comes too late', () => {
  const message = unawaitedCommand(RecordNotification, { id, appId: 7, key: 'chain', body, issuedAt: 1000 });
  const { commands } = decodeCommands(topics.purchaseCommands, [received(message)]);
  expect(commands).toMatchObject([{ id, issuedAt: 1000, body }]);
  expect(commands[0]?.deadline).toBeGreaterThan(Date.UTC(3000, 0));
  expect(message.headers).not.toHaveProperty('reply-partition');
});

it('a refusal goes to whoever waits, if anybody does', () => {
  const refusal = refuse('STORE_UNAVAILABLE', 'The store does not answer.');
  const [reply] = refusalOf(request, refusal);
  expect(reply).toMatchObject({ topic: topics.gatewayReplies, partition: 3, headers: { id, status: 'refused' } });
  expect(decodeReply(RecordNotification, Buffer.from(String(reply?.value)))).toEqual({ status: 'refused', refusal });
  expect(refusalOf({ ...request, headers: { id } }, refusal)).toEqual([]);
});
