import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import kafkajs from 'kafkajs';
import { KafkaJSLockTimeout } from 'kafkajs/src/errors.js';
import { createErrorFromCode } from 'kafkajs/src/protocol/error.js';
import { CrashRests, passesUnseen } from './passing-crashes.ts';

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

describe('a consumer that crashes again at once', () => {
  const lost = () => new KafkaJSConnectionError('Closed connection');
  const restOf = (error: object) => (error as { retryTime?: number }).retryTime;

  it('rests a second each time, and one that crashes for the first time in a while does not', () => {
    const [clock, consumer, other] = [new ManualClock(0), {}, {}];
    const rests = new CrashRests(clock);
    const restAt = (time: number, of = consumer) => {
      clock.set(time);
      return restOf(rests.behind(of, lost()));
    };
    expect([restAt(0), restAt(100), restAt(1_200), restAt(1_300, other)]).toEqual([undefined, 1_000, 1_000, undefined]);
    expect(restAt(11_200)).toBeUndefined();
  });

  it('rests as long as kafkajs wants where that is said', () => {
    const rests = new CrashRests(new ManualClock(0));
    const tired = () =>
      new KafkaJSNumberOfRetriesExceeded(new KafkaJSError('Gave up'), { retryCount: 8, retryTime: 700 });
    expect([tired(), tired()].map((error) => restOf(rests.behind(rests, error)))).toEqual([700, 700]);
  });
});
