/** An exact decimal number: `digits` × 10^−`scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

export const zero: Decimal = { digits: 0n, scale: 0 };

/** @throws RangeError if the text is no plain decimal number, such as `-12.50` */
export function decimal(text: string): Decimal {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') throw new RangeError(`"${text}" is no decimal number.`);
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

const scaled = ({ digits, scale }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - scale);

export function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { digits: scaled(one, scale) + scaled(other, scale), scale };
}

export const sum = (all: readonly Decimal[]): Decimal => all.reduce(add, zero);

export const negated = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale });

export const times = (one: Decimal, other: Decimal): Decimal => ({
  digits: one.digits * other.digits,
  scale: one.scale + other.scale,
});

export function isEqual(one: Decimal, other: Decimal): boolean {
  const scale = Math.max(one.scale, other.scale);
  return scaled(one, scale) === scaled(other, scale);
}

/** Half a unit rounds away from zero, so that a refund rounds as its payment did. */
export function rounded(value: Decimal, scale: number): Decimal {
  return quotient(value, { digits: 1n, scale: 0 }, scale);
}

/** `dividend` / `divisor` to `scale` decimals. @throws RangeError if the divisor is 0 */
export function quotient(dividend: Decimal, divisor: Decimal, scale: number): Decimal {
  const numerator = dividend.digits * 10n ** BigInt(divisor.scale + scale);
  const denominator = divisor.digits * 10n ** BigInt(dividend.scale);
  const isNegative = numerator < 0n !== denominator < 0n;
  const magnitude = (abs(numerator) * 2n + abs(denominator)) / (abs(denominator) * 2n);
  return { digits: isNegative ? -magnitude : magnitude, scale };
}

const abs = (digits: bigint): bigint => (digits < 0n ? -digits : digits);

/** Without needless zeros: `9.99`, `-1500`. */
export function textOf({ digits, scale }: Decimal): string {
  const magnitude = abs(digits)
    .toString()
    .padStart(scale + 1, '0');
  const whole = magnitude.slice(0, magnitude.length - scale);
  const fraction = magnitude.slice(magnitude.length - scale).replace(/0+$/, '');
  const isNegative = digits < 0n && /[1-9]/.test(magnitude);
  return `${isNegative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}
