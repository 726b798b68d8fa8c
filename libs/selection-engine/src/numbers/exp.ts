const { floor } = Math;

/** log 2, as 32 bits that times any exponent are exact, and the rest. */
export const ln2High = 2977044471 / 2 ** 32;
export const ln2Low = 1.9082149292705877e-10;

/** 2^k for the exponents of normal numbers, built by exact products. */
const least = -1022;
const greatest = 1023;
const powers = new Float64Array(greatest - least + 1);
for (let k = 0, power = 1; k <= greatest; k++, power *= 2) powers[k - least] = power;
for (let k = -1, power = 0.5; k >= least; k--, power /= 2) powers[k - least] = power;
const power = (k: number) => powers[k - least] ?? 0;

/** Below it e^x is its series alone: what is raised by small steps needs no more. */
const small = 0.34;

/**
 * e^x, within 2 units of the last place: by own arithmetic, since engines may round `Math.exp` differently.
 * @returns Infinity above 709.78, 0 below -745.14, NaN of NaN
 */
export function exp(x: number): number {
  if (x > -small && x < small) return series(x);
  if (!(x >= -745.14 && x <= 709.79)) return x > 0 ? Infinity : x < 0 ? 0 : x;
  const k = floor(x / Math.LN2 + 0.5);
  const value = series(x - k * ln2High - k * ln2Low);
  if (k > greatest) return value * power(k - 1) * 2;
  return k < least ? value * power(k + 54) * 2 ** -54 : value * power(k);
}

/** cosh r + sinh r, |r| <= .35: the first term left out is below 1e-17. */
function series(r: number): number {
  const q = r * r;
  const even = q * (1 / 2 + q * (1 / 24 + q * (1 / 720 + q * (1 / 40320 + q * (1 / 3628800 + q / 479001600)))));
  const odd = 1 + q * (1 / 6 + q * (1 / 120 + q * (1 / 5040 + q * (1 / 362880 + q * (1 / 39916800 + q / 6227020800)))));
  return 1 + (r * odd + even);
}
