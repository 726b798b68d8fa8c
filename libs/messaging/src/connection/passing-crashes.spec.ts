import { describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { KafkaJSLockTimeout } from 'kafkajs/src/errors.js';
import { createErrorFromCode } from 'kafkajs/src/protocol/error.js';
import { passesUnseen } from './passing-crashes.ts';

const { KafkaJSConnectionError, KafkaJSError, KafkaJSNumberOfRetriesExceeded } = kafkajs;
const codes = { unknown: -1, notLeader: 6, groupAuthorizationFailed: 30, invalidSessionTimeout: 26 };

describe('a crash of a consumer', () => {
  it.each([
    ['a lock of the client was not had in time', new KafkaJSLockTimeout('Timeout while acquiring lock')],
    ['the broker has a trouble of its own', createErrorFromCode(codes.unknown)],
  ])('passes though kafkajs takes it for final: %s', (_, error) => expect(passesUnseen(error)).toBe(true));

  it.each([
    ['the broker refuses the group', createErrorFromCode(codes.groupAuthorizationFailed)],
    ['the broker refuses how it is asked', createErrorFromCode(codes.invalidSessionTimeout)],
    ['the client is broken', new TypeError('Cannot read properties of undefined')],
  ])('is final: %s', (_, error) => expect(passesUnseen(error)).toBe(false));

  const lost = new KafkaJSConnectionError('Closed connection');
  it.each([
    ['a connection was lost', lost],
    ['a partition has another leader', createErrorFromCode(codes.notLeader)],
    [
      'it was tried often',
      new KafkaJSNumberOfRetriesExceeded(new KafkaJSError('Gave up'), { retryCount: 8, retryTime: 1_000 }),
    ],
  ])('is left to kafkajs, which starts again: %s', (_, error) => expect(passesUnseen(error)).toBe(false));
});
