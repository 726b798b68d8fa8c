import { decimalText } from '../decimal-text.ts';

/**
 * A price of the App Store as exact decimal text: 9990 → `9.99`. It comes in thousandths of the currency's unit,
 * whatever its minor unit is.
 * @param thousandths an integer
 */
export const amountOf = (thousandths: number | bigint): string => decimalText(BigInt(thousandths), 3);

/**
 * A share of a price as exact decimal text, unrounded.
 * @param thousandths the price in thousandths of the currency's unit, an integer
 * @param percentThousandths the share in thousandths of a percent, an integer: 50000 is a half
 */
export const shareOf = (thousandths: number | bigint, percentThousandths: number): string =>
  decimalText(BigInt(thousandths) * BigInt(percentThousandths), 8);
