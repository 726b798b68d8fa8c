import { ln2High, ln2Low } from './exp.ts';

const bits = new DataView(new ArrayBuffer(8));

/**
 * The natural logarithm, within 2 units of the last place, by own arithmetic as `exp`.
 * @returns -Infinity of 0, NaN of a negative number or NaN
 */
export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x === Infinity ? x : NaN;
  if (x < 2 ** -1022) return log(x * 2 ** 54) - 54 * ln2High - 54 * ln2Low;
  bits.setFloat64(0, x);
  const head = bits.getInt32(0);
  let k = (head >> 20) - 1023;
  bits.setInt32(0, (head & 0xfffff) | 0x3ff00000);
  let m = bits.getFloat64(0);
  if (m > Math.SQRT2) {
    m /= 2;
    k++;
  }
  const s = (m - 1) / (m + 1);
  return k * ln2High + (2 * s + (2 * s * series(s * s) + k * ln2Low));
}

/** q/3 + q²/5 + …, of 2 artanh s with q = s², |s| <= .172: the first term left out is below 1e-18. */
function series(q: number): number {
  const fromNinth =
    1 / 9 + q * (1 / 11 + q * (1 / 13 + q * (1 / 15 + q * (1 / 17 + q * (1 / 19 + q * (1 / 21 + q * (1 / 23)))))));
  return q * (1 / 3 + q * (1 / 5 + q * (1 / 7 + q * fromNinth)));
}

/** floor(log2 x), exactly, of a finite x > 0. */
export function floorLog2(x: number): number {
  if (x < 2 ** -1022) return floorLog2(x * 2 ** 54) - 54;
  bits.setFloat64(0, x);
  return (bits.getInt32(0) >> 20) - 1023;
}
