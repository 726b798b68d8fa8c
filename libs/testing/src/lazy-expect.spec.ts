import { expect, it } from '@jest/globals';
import { lazyExpect } from './lazy-expect.ts';

const lazy = lazyExpect(expect);

it('passes and fails as Jest’s does, in its words', async () => {
  lazy({ a: [1] }).toEqual({ a: [lazy.any(Number)] });
  lazy(1).not.toBe(2);
  await lazy(Promise.resolve(1)).resolves.toBe(1);
  await lazy(Promise.reject(new Error('no'))).rejects.toThrow('no');
  for (const [wrong, words] of [
    [() => lazy(1).toBe(2), /Expected: .*2[^]*Received: .*1/],
    [() => lazy({ a: 1 }).toMatchObject({ a: lazy.any(String) }), /Expected[^]*Any<String>/],
    [() => lazy(1).not.toBe(1), /not.*toBe/],
  ] as const)
    expect(wrong).toThrow(words);
  await expect(lazy(Promise.resolve(1)).rejects.toThrow()).rejects.toThrow(/resolved instead of rejected/);
});

it('leaves Jest’s matchers as they were, also where one fails', () => {
  expect(() => lazy(1).toBe(2)).toThrow();
  expect(1).toBeGreaterThan(0);
  lazy([1]).toContain(1);
});
