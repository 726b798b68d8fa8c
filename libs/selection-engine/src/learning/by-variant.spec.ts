import { describe, expect, it } from '@jest/globals';
import { numbersInOrder, placesInOrder, variantOrder } from './by-variant.ts';

describe('parts of what was observed', () => {
  it('stand variant after variant, those of one in their order, without what parts have no field for', () => {
    const parts = [
      { count: 3, arms: [2, 0, 2] },
      { count: 2, arms: [0, 2] },
    ];
    const order = variantOrder(parts, 3);
    expect([...order.firsts]).toEqual([0, 2, 2, 5]);
    const numbers = [Float32Array.of(1, 2, 3), Float32Array.of(4, 5)];
    expect([...numbersInOrder(order, numbers)]).toEqual([2, 4, 1, 3, 5]);
    const places = [Uint16Array.of(1, 2, 300), Uint8Array.of(4, 5)];
    expect([...placesInOrder(order, places)]).toEqual([2, 4, 1, 300, 5]);
    expect([...placesInOrder(order, [undefined, places[1]])]).toEqual([0, 4, 0, 0, 5]);
  });
});
