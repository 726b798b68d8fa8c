/** Even numbers in [0, 1) from a seed: the checks of the guard draw hundreds of millions. */
export function numbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}
