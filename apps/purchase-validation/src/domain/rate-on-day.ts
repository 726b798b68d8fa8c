import type { ExchangeRate } from '@paywright/contracts';
import { utcDay } from '@paywright/purchases';

/** What a unit of the currency was worth in USD on the UTC day of that moment; null if the rates do not tell. */
export function rateOnDay(rates: readonly ExchangeRate[], currency: string, time: number): string | null {
  if (currency === 'USD') return '1';
  const day = utcDay(time);
  return rates.find((rate) => rate.currency === currency && rate.day === day)?.usdPerUnit ?? null;
}

/** What the value of money hangs on: rows of a transaction that are alike in it have one rate. */
export const ratedBy = ({ currency, originalTime }: { readonly currency: string; readonly originalTime: number }) =>
  `${currency} ${utcDay(originalTime)}`;
