/** Even numbers in [0, 1) of 32 bits, the same for a seed: a Weyl sequence, mixed. Fast, for simulations in tests. */
export function randomNumbers(seed: number): () => number {
  let weyl = Math.imul(seed, 0x85ebca6b);
  return () => {
    weyl = (weyl + 0x9e3779b9) | 0;
    let word = Math.imul(weyl ^ (weyl >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return ((word ^ (word >>> 15)) >>> 0) / 2 ** 32;
  };
}
