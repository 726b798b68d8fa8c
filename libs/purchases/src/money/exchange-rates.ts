import { quotient } from './decimal.ts';

/** What one euro was worth on a UTC day (`YYYY-MM-DD`), as decimal text. */
interface Quote {
  readonly day: string;
  readonly perEuro: string;
}

/** By currency, the quotes of its days, oldest first. */
export type ExchangeRateTable = ReadonlyMap<string, readonly Quote[]>;

/** The UTC day of an instant in milliseconds, `YYYY-MM-DD`. */
export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * Reads rates in the form of the European Central Bank's history file: a header `Date,USD,JPY,…`, a line a day,
 * units of each currency for one euro, `N/A` for none. Order of days, a trailing comma and empty lines do not matter.
 * @throws RangeError naming the line that has another form
 * @see https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip
 */
export function parseExchangeRates(csv: string): ExchangeRateTable {
  const [header = '', ...lines] = csv.split(/\r?\n/);
  const [date, ...currencies] = cells(header);
  if (date !== 'Date' || !currencies.every(isCurrencyOrEnd)) throw new RangeError('exchange rates, line 1: no header');
  const quotes = new Map<string, Quote[]>();
  const quotesOf = (currency: string): Quote[] => {
    const known = quotes.get(currency) ?? [];
    quotes.set(currency, known);
    return known;
  };
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const [day = '', ...rates] = cells(line);
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new RangeError(`exchange rates, line ${index + 2}: no date`);
    currencies.forEach((currency, column) => {
      const perEuro = rates[column] ?? '';
      if (currency === '' || perEuro === '' || perEuro === 'N/A') return;
      if (!isRate(perEuro)) throw new RangeError(`exchange rates, line ${index + 2}: ${currency} is no rate`);
      quotesOf(currency).push({ day, perEuro });
    });
  });
  return mergeExchangeRates([quotes]);
}

/** One table of several: of a currency and day that more than one quotes, the last one counts. */
export function mergeExchangeRates(tables: readonly ExchangeRateTable[]): ExchangeRateTable {
  const currencies = new Set(tables.flatMap((table) => [...table.keys()]));
  return new Map(
    [...currencies].map((currency) => {
      const byDay = new Map(tables.flatMap((table) => (table.get(currency) ?? []).map((quote) => [quote.day, quote])));
      return [currency, [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1))];
    }),
  );
}

/**
 * What one unit of the currency was worth in USD on that UTC day, or on the latest earlier day that is quoted, to
 * 12 decimals; null if there is none.
 */
export function usdPerUnit(table: ExchangeRateTable, currency: string, day: string): string | null {
  if (currency === 'USD') return '1';
  const unit = currency === 'EUR' ? { day, perEuro: '1' } : latestQuote(table, currency, day);
  const usd = unit && latestQuote(table, 'USD', unit.day);
  return usd ? quotient(usd.perEuro, unit.perEuro) : null;
}

/** The newest UTC day on which the worth of a euro in USD is quoted, which every value needs; null if there is none. */
export const newestQuotedDay = (table: ExchangeRateTable): string | null => newestDayOf(table, 'USD');

/** The newest UTC day on which the currency is quoted; null if there is none. */
export const newestDayOf = (table: ExchangeRateTable, currency: string): string | null =>
  table.get(currency)?.at(-1)?.day ?? null;

function latestQuote(table: ExchangeRateTable, currency: string, day: string): Quote | null {
  const quotes = table.get(currency) ?? [];
  let [from, to] = [0, quotes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (quotes[middle]!.day <= day) from = middle + 1;
    else to = middle;
  }
  return quotes[from - 1] ?? null;
}

const cells = (line: string): string[] => line.split(',').map((cell) => cell.trim());
const isCurrencyOrEnd = (cell: string, index: number, all: readonly string[]) =>
  /^[A-Z]{3}$/.test(cell) || (cell === '' && index === all.length - 1);
const isRate = (text: string) => /^\d{1,15}(\.\d{1,12})?$/.test(text) && /[1-9]/.test(text);
