import { decimal, quotient, type Decimal } from '../model/decimal.ts';

/** Reference rates. */
export interface Rates {
  /** What a unit was worth in USD on that UTC day, or the latest earlier day; null: not known. */
  usdPerUnit(currency: string, ms: number): Decimal | null;
}

const one: Decimal = { digits: 1n, scale: 0 };
const scale = 12;

/** Knows the dollar alone. */
export const noRates: Rates = { usdPerUnit: (currency) => (currency === 'USD' ? one : null) };

/**
 * Reads the history file of the European Central Bank: a line a day, columns in units for a euro, `N/A` where there
 * is none, a comma at each line's end.
 */
export function ratesOf(csv: string): Rates {
  const [heading = '', ...lines] = csv.trim().split(/\r?\n/);
  const names = heading.split(',').map((name) => name.trim());
  const days = lines
    .map((line) => {
      const cells = line.split(',').map((cell) => cell.trim());
      const perEuro = new Map(names.map((name, column) => [name, cells[column] ?? '']));
      return { day: cells[0] ?? '', perEuro: perEuro.set('EUR', '1') };
    })
    .toSorted((one, other) => (one.day < other.day ? 1 : -1));
  const isNumber = (cell: string | undefined): cell is string => cell !== undefined && /^\d/.test(cell);
  return {
    usdPerUnit: (currency, ms) => {
      if (currency === 'USD') return one;
      const day = new Date(ms).toISOString().slice(0, 10);
      for (const { day: known, perEuro } of days) {
        const [dollars, units] = [perEuro.get('USD'), perEuro.get(currency)];
        if (known <= day && isNumber(dollars) && isNumber(units))
          return quotient(decimal(dollars), decimal(units), scale);
      }
      return null;
    },
  };
}
