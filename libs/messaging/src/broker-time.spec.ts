import { expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { BrokerTime } from './broker-time.ts';
import type { ReceivedMessage } from './message.ts';

const appendedAt = (timestamp: number): ReceivedMessage => ({
  ...{ topic: 't', partition: 0, offset: '0', key: null, headers: {}, value: null },
  timestamp,
});

it('knows the age of a message by newer ones and by what has passed since, whatever our clock shows', () => {
  const clock = new ManualClock(1_000_000_000);
  const time = new BrokerTime(clock);
  expect(time.ageOf(appendedAt(5_000))).toBe(0);
  time.shownBy([5_000, 65_000, 7_000].map(appendedAt));
  expect([5_000, 65_000, 66_000].map(appendedAt).map((message) => time.ageOf(message))).toEqual([60_000, 0, 0]);
  clock.advance(10_000);
  time.shownBy([appendedAt(66_000)]); // an older one than could be
  expect(time.ageOf(appendedAt(5_000))).toBe(70_000);
  time.shownBy([]);
  expect(time.ageOf(appendedAt(75_000))).toBe(0);
});
