import { describe, expect, it } from '@jest/globals';
import type { ReceivedMessage } from '@paywright/messaging';
import { ManualClock } from '@paywright/platform';
import { Abreast } from './abreast.ts';

const minute = 60_000;
const hour = 60 * minute;
const now = Date.UTC(2026, 5, 1);

const messageAt = (time: number | null): ReceivedMessage => ({
  ...{ topic: 'purchase.events', partition: 3, offset: '7', key: 'chain', value: null, timestamp: now },
  headers: time === null ? {} : { ce_time: new Date(time).toISOString() },
});

function abreastAt(until: number | null) {
  const noted: (readonly [partition: number, until: number])[] = [];
  const partitions = {
    noteJoined: async (joined: readonly { readonly partition: number; readonly until: number }[]) =>
      void noted.push(...joined.map((one) => [one.partition, one.until] as const)),
  };
  return { abreast: new Abreast({ partitions, joinedTime: { until }, clock: new ManualClock(now) }), noted };
}

describe('what is read', () => {
  const old = now - 30 * 24 * hour;

  it('is joined up to an hour ahead of what is joined of all', () => {
    const { abreast } = abreastAt(old);
    const isDue = (time: number) => abreast.isDue(messageAt(time));
    expect([old - hour, old, old + hour, old + hour + 1, now].map(isDue)).toEqual([true, true, true, false, false]);
  });

  it('waits until it is known how far others are', () =>
    expect(abreastAt(null).abreast.isDue(messageAt(old))).toBe(false));

  it('does not wait for a time that a server was ahead by', () =>
    expect(abreastAt(now - minute).abreast.isDue(messageAt(now + 25 * hour))).toBe(true));

  it('does not wait where it is no event: that is found when it is joined', () =>
    expect(abreastAt(null).abreast.isDue(messageAt(null))).toBe(true));

  it('tells until when its partition is joined by what waits there', async () => {
    const { abreast, noted } = abreastAt(old);
    await abreast.tell([messageAt(now)]);
    await abreast.tell([]);
    expect(noted).toEqual([[3, now]]);
  });
});
