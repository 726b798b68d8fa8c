import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countryOfAlpha2, countryOfAlpha2Or3 } from './country.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const allPairs = letters.flatMap((a) => letters.map((b) => a + b));
const countries = allPairs.filter((code) => countryOfAlpha2(code) !== null);
const allTriples = allPairs.flatMap((pair) => letters.map((c) => pair + c));

it('knows the 249 assigned codes of ISO 3166-1, and XK', () => {
  expect(countries).toHaveLength(250);
  expect(countries).toContain('XK');
});

it.each(['AA', 'ZZ', 'EU', 'UK', 'QQ', 'XX', 'AN', 'SU', 'ß', 'D', 'DEU', 'd e', 'ı', ''])(
  'knows no country %j',
  (code) => {
    expect(countryOfAlpha2(code)).toBeNull();
  },
);

it('takes alpha-2 in any case, and gives it in upper case', () =>
  fc.assert(
    fc.property(fc.constantFrom(...countries), fc.boolean(), fc.boolean(), (code, first, second) => {
      const cased = [...code].map((letter, i) => ([first, second][i] ? letter.toLowerCase() : letter)).join('');
      expect(countryOfAlpha2(cased)).toBe(code);
      expect(countryOfAlpha2Or3(cased)).toBe(code);
    }),
  ));

describe('alpha-3', () => {
  it('has one upper-case code for each country', () => {
    const mapped = allTriples.flatMap((code) => countryOfAlpha2Or3(code) ?? []);
    expect(mapped.sort()).toEqual(countries);
  });

  it.each([
    ['DEU', 'DE'],
    ['USA', 'US'],
    ['XKX', 'XK'],
    ['GBR', 'GB'],
  ])('maps %s to %s', (alpha3, alpha2) => expect(countryOfAlpha2Or3(alpha3)).toBe(alpha2));

  it.each(['deu', 'Deu', 'ZZZ', 'XXX', 'XKK', 'EUE', 'DE1', '276'])('does not take %s', (code) => {
    expect(countryOfAlpha2Or3(code)).toBeNull();
  });
});
