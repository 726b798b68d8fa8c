import { expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { BrokerTime } from './broker-time.ts';
import type { ReceivedMessage } from './message.ts';

const second = 1_000;
const hour = 3_600 * second;
const appendedTo = (partition: number) => (timestamp: number) =>
  ({ topic: 't', partition, offset: '0', key: null, headers: {}, value: null, timestamp }) satisfies ReceivedMessage;
const appendedAt = appendedTo(0);

function broker() {
  const clock = new ManualClock(1_000_000_000);
  const time = new BrokerTime(clock);
  const ages = (...timestamps: number[]) => timestamps.map((timestamp) => time.ageOf(appendedAt(timestamp)));
  return { clock, time, ages };
}

it('knows the age of a message by newer ones and by what has passed since, whatever our clock shows', () => {
  const { clock, time, ages } = broker();
  expect(ages(5_000)).toEqual([0]);
  time.shownBy([5_000, 65_000].map(appendedAt));
  expect(ages(5_000, 65_000, 66_000)).toEqual([60_000, 0, 0]);
  clock.advance(10_000);
  time.shownBy([appendedAt(66_000)]); // fetched later than it was appended
  expect(ages(5_000)).toEqual([70_000]);
  time.shownBy([]);
  expect(ages(75_000)).toEqual([0]);
});

it('takes no message for old by the clock of a broker that leads another partition', () => {
  const { time, ages } = broker();
  time.shownBy([appendedAt(5_000), appendedTo(1)(5_000 + hour)]);
  expect(ages(5_000)).toEqual([0]);
});

it('begins anew where the broker’s clock was set back, or one that is behind leads the partition', () => {
  const { clock, time, ages } = broker();
  time.shownBy([5_000 + hour].map(appendedAt));
  clock.advance(second);
  time.shownBy([6_000, 6_500].map(appendedAt));
  expect(ages(6_000, 6_500)).toEqual([500, 0]);
  clock.advance(second);
  expect(ages(6_500)).toEqual([second]);
});

it.each([10 * second, 90 * second, hour])(
  'takes nothing for old where the broker’s clock is slower than ours, with a message each %i ms for ten days',
  (everyMs) => {
    const { clock, time, ages } = broker();
    const oldest = [];
    for (let passed = 0; passed < 10 * 24 * hour; passed += everyMs) {
      const message = appendedAt(Math.floor(passed * 0.9999));
      time.shownBy([message]);
      oldest.push(time.ageOf(message));
      clock.advance(everyMs);
    }
    expect(Math.max(...new Set(oldest))).toBeLessThan(50);
    expect(ages(9 * 24 * hour)[0]).toBeGreaterThan(23 * hour);
  },
);

it('goes on knowing how old a message is while none comes behind it', () => {
  const { clock, time, ages } = broker();
  time.shownBy([appendedAt(5_000)]);
  clock.advance(hour);
  expect(ages(5_000)).toEqual([hour]);
});

it('knows for how much longer a sender waits, whatever the sender’s clock shows', () => {
  const { clock, time } = broker();
  const message = appendedAt(5_000);
  time.shownBy([message]);
  clock.advance(4_000);
  for (const issuedAt of [0, 5_000, hour])
    expect(time.timeLeft({ issuedAt, deadline: issuedAt + 10_000 }, message)).toBe(6_000);
  clock.advance(7_000);
  expect(time.timeLeft({ issuedAt: 0, deadline: 10_000 }, message)).toBe(-1_000);
});
