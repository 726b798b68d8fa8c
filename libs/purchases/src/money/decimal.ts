const micros = 6;
const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/** `numerator / denominator`, rounded half up; away from zero below it, so that a sum and its opposite net to 0. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/** A decimal text × 10^scale, rounded to a whole number. @throws RangeError if it is no decimal number */
function scaled(text: string, scale: number): bigint {
  const parts = decimal.exec(text);
  if (!parts) throw new RangeError('not a decimal number');
  const [, sign, whole, fraction = ''] = parts;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return fraction.length <= scale
    ? digits * 10n ** BigInt(scale - fraction.length)
    : divideRounded(digits, 10n ** BigInt(fraction.length - scale));
}

function textOf(value: bigint, scale: number): string {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -scale)}${fraction && `.${fraction}`}`;
}

/**
 * Millionths of the unit, rounded half up.
 * @param text `-?digits[.digits]`
 * @throws RangeError of any other text
 */
export const microsOf = (text: string): bigint => scaled(text, micros);

/** An amount of millionths as decimal text, exactly and without zeros behind: `9990000n` is `9.99`. */
export const decimalOfMicros = (amount: bigint): string => textOf(amount, micros);

/** `amount` millionths × `rate`, in millionths, rounded half up once. @param rate decimal text of up to 12 decimals */
export const timesRate = (amount: bigint, rate: string): bigint => divideRounded(amount * scaled(rate, 12), 10n ** 12n);

/** `dividend / divisor` to 12 decimals, rounded half up. Both are decimal texts; the divisor is not 0. */
export const quotient = (dividend: string, divisor: string): string =>
  textOf(divideRounded(scaled(dividend, 12) * 10n ** 12n, scaled(divisor, 12)), 12);

/** Millionths as a number of whole hundredths, rounded half up: what the REST API shows. */
export const numberOfCents = (amount: bigint): number => Number(divideRounded(amount, 10n ** 4n)) / 100;
