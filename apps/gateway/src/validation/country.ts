// Without the names of countries in 80 languages, which the package's main file loads.
import countries from 'i18n-iso-countries/index.js';

/** The assigned alpha-2 codes of ISO 3166-1, and XK, which stores use for Kosovo. */
const alpha2Codes: ReadonlySet<string> = new Set(Object.keys(countries.getAlpha2Codes()));

/** @returns the code in upper case, or null if it is no country's. Any case is accepted. */
export function countryOfAlpha2(text: string): string | null {
  const code = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : '';
  return alpha2Codes.has(code) ? code : null;
}

/** Kosovo has no ISO code: stores write XK and XKX, while the package has an alpha-3 code of its own. */
const alpha2ByAlpha3: ReadonlyMap<string, string> = new Map([
  ...Object.entries(countries.getAlpha3Codes()).filter(([, alpha2]) => alpha2 !== 'XK'),
  ['XKX', 'XK'],
]);

/** @returns the alpha-2 code of an alpha-2 code in any case or an alpha-3 code in upper case; else null */
export const countryOfAlpha2Or3 = (text: string): string | null => alpha2ByAlpha3.get(text) ?? countryOfAlpha2(text);
