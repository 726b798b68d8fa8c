import { describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { isRetriable, passesByWaiting } from './kafka-error.ts';

const { KafkaJSConnectionError, KafkaJSError, KafkaJSProtocolError, KafkaJSSASLAuthenticationError } = kafkajs;

const final = (cause?: Error) => new KafkaJSError('Gave up', { retriable: false, ...(cause && { cause }) });
const protocolError = (type: string, code: number, retriable: boolean) =>
  new KafkaJSProtocolError(Object.assign(new Error(type), { type, code, retriable }));

describe('a request that failed', () => {
  it.each([
    ['the connection was lost', new KafkaJSConnectionError('Closed connection')],
    ['the client gave up for reasons of its own', final()],
    ['the client is in a state that it does not know itself', new Error('Broker not connected')],
    ['the client is broken', new TypeError('Cannot read properties of undefined')],
    ['the partition has no leader', protocolError('LEADER_NOT_AVAILABLE', 5, true)],
    ['the broker has a trouble of its own', protocolError('UNKNOWN', -1, false)],
    ['the client gave up on what passes', final(new KafkaJSConnectionError('Closed connection'))],
  ])('is worth repeating: %s', (_, error) => expect(isRetriable(error)).toBe(true));

  it.each([
    ['a message is too large', protocolError('MESSAGE_TOO_LARGE', 10, false)],
    ['the client may not write', final(protocolError('TOPIC_AUTHORIZATION_FAILED', 29, false))],
  ])('is not, where the broker refuses it: %s', (_, error) => expect(isRetriable(error)).toBe(false));
});

describe('a broker that is not reached', () => {
  const notReached = (code?: string) =>
    new KafkaJSConnectionError('Connection error', code === undefined ? {} : { code });

  it.each([
    ['nobody listens there', notReached('ECONNREFUSED')],
    ['its name is not known', notReached('ENOTFOUND')],
    ['it took too long', notReached()],
    ['the client gave up on it', final(notReached('ECONNREFUSED'))],
    ['it has no controller yet', protocolError('NOT_CONTROLLER', 41, true)],
  ])('may be later: %s', (_, error) => expect(passesByWaiting(error)).toBe(true));

  // By its types it takes no message, and without one it cannot be made.
  const refusedUser: unknown = Reflect.construct(KafkaJSSASLAuthenticationError, ['SASL PLAIN authentication failed']);

  it.each([
    ['it refuses the user', refusedUser],
    ['its certificate is of nobody that we know', notReached('SELF_SIGNED_CERT_IN_CHAIN')],
    ['its certificate is of another name', notReached('ERR_TLS_CERT_ALTNAME_INVALID')],
    ['it speaks no TLS', notReached('EPROTO')],
    ['it does not let this user ask', protocolError('CLUSTER_AUTHORIZATION_FAILED', 31, false)],
  ])('will not be later: %s', (_, error) => expect(passesByWaiting(error)).toBe(false));
});
