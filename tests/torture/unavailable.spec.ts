import { describe, expect, it } from '@jest/globals';
import { unavailableMs } from './unavailable.ts';

describe('unavailableMs', () => {
  it.each([
    ['nothing while answers come at least every second', [1_000, 2_000, 3_000], 0],
    ['the whole of each longer stretch', [500, 2_000, 2_500], 1_500 + 1_500],
    ['everything without an answer', [], 4_000],
    ['nothing for what came before or after', [-500, 4_500], 4_000],
  ])('counts %s', (_, answeredAt, expected) => {
    expect(unavailableMs(answeredAt, 0, 4_000)).toBe(expected);
  });
});
