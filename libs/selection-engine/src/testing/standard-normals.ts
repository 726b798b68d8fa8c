import { randomNumbers } from './random-numbers.ts';

/** Standard normal draws, the same for a seed, Box and Muller's way. */
export function standardNormals(seed: number): () => number {
  const { cos, log, PI, sqrt } = Math;
  const next = randomNumbers(seed);
  return () => sqrt(-2 * log(1 - next())) * cos(2 * PI * next());
}
