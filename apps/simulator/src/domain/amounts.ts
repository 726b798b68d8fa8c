const micros = 6;

/** Micros of an amount in decimal text. */
export function microsOf(amount: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(amount) ?? [];
  return BigInt(`${sign}${whole}${fraction.padEnd(micros, '0')}`);
}

/** Micros as decimal text, without needless zeros. */
export function amountOfMicros(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(micros + 1, '0');
  const fraction = digits.slice(-micros).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -micros)}${fraction && `.${fraction}`}`;
}

/** A share of an amount, rounded half up to `decimals`. @param percent 1 to 100 */
export function shareOf(amount: string, percent: number, decimals: number): string {
  const step = 10n ** BigInt(micros - decimals);
  return amountOfMicros(((microsOf(amount) * BigInt(percent) + 50n * step) / (100n * step)) * step);
}

export const isZero = (amount: string): boolean => microsOf(amount) === 0n;
/** What so many pieces cost. */
export const ofPieces = (amount: string, quantity: number): string =>
  amountOfMicros(microsOf(amount) * BigInt(quantity));
export const plus = (a: string, b: string): string => amountOfMicros(microsOf(a) + microsOf(b));
export const minus = (a: string, b: string): string => amountOfMicros(microsOf(a) - microsOf(b));

/** Currencies without and with three decimals, as the stores have them; all others have two. */
const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '));

export const decimalsOf = (currency: string): number =>
  zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2;

/** Stripe's amounts: whole numbers of the currency's smallest unit. */
export const minorUnits = (amount: string, currency: string): number =>
  Number(microsOf(amount) / 10n ** BigInt(micros - decimalsOf(currency)));

export const ofMinorUnits = (amount: number, currency: string): string =>
  amountOfMicros(BigInt(amount) * 10n ** BigInt(micros - decimalsOf(currency)));

/** Apple's prices: thousandths of the currency's unit. */
export const milliunits = (amount: string): number => Number(microsOf(amount) / 1_000n);
