import { expect, it } from '@jest/globals';
import { UtcOffsets } from './utc-offsets.ts';

const winter = Date.UTC(2026, 0, 15, 12);
const summer = Date.UTC(2026, 6, 15, 12);

it.each([
  ['Europe/Berlin', 60, 120],
  ['America/New_York', -300, -240],
  ['America/St_Johns', -210, -150],
  ['Asia/Kolkata', 330, 330],
  ['UTC', 0, 0],
])('knows the clock of %s', (zone, inWinter, inSummer) => {
  const offsets = new UtcOffsets();
  expect([offsets.at(zone, winter), offsets.at(zone, summer), offsets.at(zone, winter)]).toEqual([
    inWinter,
    inSummer,
    inWinter,
  ]);
});

it('changes with the clocks, to the minute', () => {
  const offsets = new UtcOffsets();
  const change = Date.UTC(2026, 2, 29, 1);
  expect([offsets.at('Europe/Berlin', change - 1), offsets.at('Europe/Berlin', change)]).toEqual([60, 120]);
});

it('knows no clock of what is no time zone, however many names there are', () => {
  const offsets = new UtcOffsets();
  const names = Array.from({ length: 1_100 }, (_, index) => `Nowhere/${index}`); // more than are remembered
  expect(names.filter((name) => offsets.at(name, winter) !== null)).toEqual([]);
  expect(offsets.at('Asia/Tokyo', winter)).toBe(540);
});
