import { hash64 } from '@paywright/selection-engine';

const { imul } = Math;

function avalanche(word: number): number {
  let hash = imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Even numbers in [0, 1), a function of index and variant: no order of calls, no state. */
export type Stream = (index: number, variant?: number) => number;

/** The stream of a seed and purpose. Whoever asks meets the same users, and each user the same fates. */
export function stream(seed: string, purpose: string): Stream {
  const { high, low } = hash64(`${seed}\0${purpose}`);
  return (index, variant = 0) => {
    const user = avalanche(high ^ imul(index + 1, 0x9e3779b1));
    return (avalanche(user ^ imul(variant + 1, 0x85ebca77) ^ low) >>> 0) / 2 ** 32;
  };
}

/** Standard normal numbers, Box and Muller's way. */
export function normals(seed: string, purpose: string): Stream {
  const [radius, angle] = [stream(seed, `${purpose}/radius`), stream(seed, `${purpose}/angle`)];
  return (index, variant) =>
    Math.sqrt(-2 * Math.log(1 - radius(index, variant))) * Math.cos(2 * Math.PI * angle(index, variant));
}

/** A number of a range, even in it. */
export const within = (u: number, [low, high]: readonly [number, number]): number => low + u * (high - low);
