import { expect, it } from '@jest/globals';
import { chainIdOf } from './chain-id.ts';

it('is one UUID for a chain, and another for any other', () => {
  const id = chainIdOf(1, 'play_store', 'a-token');
  expect(id).toBe('51be60ad-0791-8c5c-8747-ef9be54bdc96');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const others = [
    chainIdOf(2, 'play_store', 'a-token'),
    chainIdOf(1, 'stripe', 'a-token'),
    chainIdOf(1, 'play_store', 'b'),
  ];
  expect(new Set([id, ...others]).size).toBe(4);
});
