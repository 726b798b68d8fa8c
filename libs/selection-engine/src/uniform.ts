import { hash64 } from './numbers/hash64.ts';

/**
 * A number in [0, 1) with 53 random bits that depends on the two texts alone: the same on every machine and
 * for ever, so that a recorded decision can be made again. Different purposes of one seed are independent.
 * Not for secrets.
 */
export function uniform(seed: string, purpose: string): number {
  const { high, low } = hash64(`${purpose}\0${seed}`);
  return ((high >>> 11) * 2 ** 32 + low) / 2 ** 53;
}
