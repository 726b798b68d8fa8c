import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimalOfMicros, microsOf, timesRate } from './decimal.ts';
import { mergeExchangeRates, newestQuotedDay, parseExchangeRates, usdPerUnit, utcDay } from './exchange-rates.ts';

const table = parseExchangeRates(
  [
    'Date,USD,JPY,CYP,GBP,BRL,',
    '2026-11-20,1.1500,170.00,N/A,0.8700,6.2000,',
    '2026-11-19,1.1400,N/A,N/A,0.8600,6.1000,',
    '2026-11-17,1.1300,168.00,N/A,0.8500,6.0000,',
    '2007-12-31,1.4721,164.93,0.585274,0.73335,N/A,',
    '',
  ].join('\r\n'),
);
const usd = (amount: string, currency: string, day = '2026-11-20') => {
  const rate = usdPerUnit(table, currency, day);
  return rate === null ? null : decimalOfMicros(timesRate(microsOf(amount), rate));
};

describe('the rate of a day', () => {
  it.each([
    ['9.99', 'EUR', '11.4885'],
    ['7.99', 'GBP', '10.561494'],
    ['1500', 'JPY', '10.147059'],
    ['59.90', 'BRL', '11.110484'],
    ['9.99', 'USD', '9.99'],
  ])('makes %s %s %s USD', (amount, currency, expected) => expect(usd(amount, currency)).toBe(expected));

  it('is that of the latest earlier day with one, by both currencies of that day', () => {
    expect(usd('1', 'GBP', '2026-11-22')).toBe(usd('1', 'GBP'));
    expect(usd('1', 'EUR', '2026-11-18')).toBe('1.13');
    expect(usd('168', 'JPY', '2026-11-19')).toBe('1.13');
  });

  it('is none before the first day, and none of an unknown currency: never 0, never 1', () => {
    expect(usd('1', 'EUR', '2007-12-30')).toBeNull();
    expect(usd('1', 'VND')).toBeNull();
    expect(usdPerUnit(new Map(), 'EUR', '2026-11-20')).toBeNull();
    expect(usdPerUnit(new Map(), 'USD', '2026-11-20')).toBe('1');
  });

  it('is, of several files, that of the last', () => {
    const second = parseExchangeRates('Date,AED,GBP\n2026-11-20,4.2,0.9\n2026-11-21,4.3,0.95');
    const both = mergeExchangeRates([table, second]);
    expect(usdPerUnit(both, 'GBP', '2026-11-20')).toBe('1.277777777778');
    expect(usdPerUnit(both, 'GBP', '2026-11-19')).toBe(usdPerUnit(table, 'GBP', '2026-11-19'));
    expect(usdPerUnit(both, 'AED', '2026-11-20')).toBe('0.27380952381');
    expect(usdPerUnit(both, 'AED', '2026-11-22')).toBe('0.267441860465');
  });

  it('does not depend on the order of the lines', () => {
    const days = Array.from({ length: 12 }, (_, index) => `2026-01-${String(index + 10)}`);
    const shuffled = fc.shuffledSubarray(days, { minLength: days.length });
    const csvOf = (order: readonly string[]) => [
      'Date,USD,GBP',
      ...order.map((day) => `${day},1.${day.slice(-2)},0.9`),
    ];
    const expected = parseExchangeRates(csvOf(days).join('\n'));
    fc.assert(
      fc.property(shuffled, (order) => expect(parseExchangeRates(csvOf(order).join('\n'))).toEqual(expected)),
      { numRuns: 20 },
    );
  });
});

describe('the newest day', () => {
  it('is the last that quotes USD, in any file', () => {
    expect(newestQuotedDay(table)).toBe('2026-11-20');
    const others = ['2026-11-21,,4.3', '2026-11-22,1.16,'].map((line) => parseExchangeRates(`Date,USD,AED\n${line}`));
    expect(newestQuotedDay(mergeExchangeRates([table, others[0]!]))).toBe('2026-11-20');
    expect(newestQuotedDay(mergeExchangeRates([others[1]!, table]))).toBe('2026-11-22');
  });

  it('is none where nothing is worth anything in USD', () =>
    expect(newestQuotedDay(parseExchangeRates('Date,USD,AED\n2026-11-20,,4.2'))).toBeNull());
});

describe('a file of another form', () => {
  it.each([
    ['', 'line 1'],
    ['Day,USD\n', 'line 1'],
    ['Date,usd\n', 'line 1'],
    ['Date,,USD\n', 'line 1'],
    ['Date,USD\n2026-11-20,1.1\n20.11.2026,1.1', 'line 3: no date'],
    ['Date,USD\n2026-11-20,1e3', 'line 2: USD is no rate'],
    ['Date,USD\n2026-11-20,-1', 'line 2: USD is no rate'],
    ['Date,USD,GBP\n2026-11-20,1.1,0.00', 'line 2: GBP is no rate'],
  ])('%j is refused with its line', (csv, line) => expect(() => parseExchangeRates(csv)).toThrow(line));
});

it('takes the day of UTC', () => {
  expect(utcDay(Date.UTC(2026, 10, 20, 23, 59, 59, 999))).toBe('2026-11-20');
  expect(utcDay(Date.UTC(2026, 10, 21))).toBe('2026-11-21');
});
