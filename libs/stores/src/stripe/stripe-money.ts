import type { Money } from '@paywright/contracts';
import { decimalText } from '../decimal-text.ts';

/** Currencies whose amounts at Stripe are whole units. */
const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
/** Currencies whose amounts at Stripe are thousandths. */
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '));

/**
 * An amount in Stripe's smallest units as decimal text, in the currency's upper case.
 * @param amount a whole number of the smallest units
 * @see https://docs.stripe.com/currencies: UGX and ISK have no decimals, and are still sent in hundredths
 */
export function stripeMoney(amount: number, currency: string): Money {
  const code = currency.toUpperCase();
  const scale = zeroDecimal.has(code) ? 0 : threeDecimal.has(code) ? 3 : 2;
  return { amount: decimalText(BigInt(amount), scale), currency: code };
}
