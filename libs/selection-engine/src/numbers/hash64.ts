const { imul } = Math;

/** Lanes of the hash: where each begins, and its two multipliers. */
const lanes = [
  { start: 0x9747b28c, inner: 0xcc9e2d51, outer: 0x1b873593 },
  { start: 0x3c6ef372, inner: 0x85ebca77, outer: 0xc2b2ae3d },
] as const;

/** 64 bits as two unsigned words. */
export interface Hash64 {
  readonly high: number;
  readonly low: number;
}

/** A well-mixed hash of a text's UTF-16 code units, the same everywhere and for ever. Not for secrets. */
export function hash64(text: string): Hash64 {
  const high = avalanche(absorb(text, lanes[0]));
  const low = avalanche(absorb(text, lanes[1]) ^ high);
  return { high, low };
}

/** Orders hashes as unsigned 64-bit numbers: negative, 0 or positive. */
export const compareHashes = (one: Hash64, other: Hash64): number => one.high - other.high || one.low - other.low;

const rotate = (bits: number, by: number) => (bits << by) | (bits >>> (32 - by));

/** Murmur3 over the UTF-16 code units of a text, before its last mixing. */
function absorb(text: string, { start, inner, outer }: (typeof lanes)[number]): number {
  let hash: number = start;
  for (let index = 0; index < text.length; index++) {
    const unit = imul(rotate(imul(text.charCodeAt(index), inner), 15), outer);
    hash = (imul(rotate(hash ^ unit, 13), 5) + 0xe6546b64) | 0;
  }
  return hash ^ text.length;
}

/** Every bit of the word on every bit of the answer (Murmur3's last step). */
function avalanche(word: number): number {
  let hash = imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
