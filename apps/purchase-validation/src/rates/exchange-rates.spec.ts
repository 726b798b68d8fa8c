import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigurationError, createLogger, ManualClock, Metrics } from '@paywright/platform';
import { timesRate, decimalOfMicros, microsOf } from '@paywright/purchases';
import { bought, standing } from '../domain/testing/purchases.ts';
import { defaultRatesFile } from './default-rates-file.ts';
import { ExchangeRates } from './exchange-rates.ts';

const golden = 'Date,USD,GBP,JPY,BRL,\n2026-11-20,1.1500,0.8700,170.00,6.2000,\n';
const time = Date.UTC(2026, 10, 20, 12);
const day = 86_400_000;
let lines: string[];
let clock: ManualClock;
let metrics: Metrics;
let folder: string;
let rates: ExchangeRates;

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const unread = (...files: readonly string[]) => {
  const logger = createLogger({ service: 'test', level: 'warn' }, { write: (line) => void lines.push(line) });
  return new ExchangeRates({ files, clock, logger, metrics });
};
const open = async (...files: readonly string[]) => {
  rates = unread(...files);
  await rates.start();
  return rates;
};
const priced = (amount: string, currency: string) => bought('1', { price: { amount, currency }, purchasedAt: time });

beforeEach(() => {
  lines = [];
  clock = new ManualClock(time);
  metrics = new Metrics();
  folder = mkdtempSync(join(tmpdir(), 'rates-'));
});
afterEach(() => {
  rates.stop();
  rmSync(folder, { recursive: true });
});

it.each([
  ['9.99', 'EUR', '11.488500'],
  ['7.99', 'GBP', '10.561494'],
  ['1500', 'JPY', '10.147059'],
  ['59.90', 'BRL', '11.110484'],
])('values %s %s at %s USD', async (amount, currency, usd) => {
  await open(file('rates.csv', golden));
  const found = rates.valuation({ transactions: [priced(amount, currency)], refunds: [], subscription: null });
  expect(found.missing).toEqual([]);
  const value = decimalOfMicros(timesRate(microsOf(amount), found.rates[0]?.usdPerUnit ?? ''));
  expect(Number(value)).toBe(Number(usd));
});

it('needs no rate for USD, and says which it lacks', async () => {
  await open(file('rates.csv', golden));
  expect(rates.valuation({ transactions: [priced('9.99', 'USD')], refunds: [], subscription: null })).toEqual({
    rates: [],
    missing: [],
  });
  expect(rates.valuation({ transactions: [priced('10', 'AED')], refunds: [], subscription: null })).toEqual({
    rates: [],
    missing: [{ currency: 'AED', day: '2026-11-20' }],
  });
});

it('offers the rate of a renewal price, and misses none', async () => {
  await open(file('rates.csv', golden));
  const nextDay = '2026-11-21';
  const priced = (currency: string) =>
    standing({ startsAt: time + 24 * 3_600_000, renewalPrice: { amount: '9', currency } });
  const valued = (currency: string) =>
    rates.valuation({ transactions: [], refunds: [], subscription: priced(currency) });
  expect(valued('EUR')).toEqual({ rates: [{ currency: 'EUR', day: nextDay, usdPerUnit: '1.15' }], missing: [] });
  expect(valued('USD')).toEqual({ rates: [], missing: [] });
  expect(valued('AED')).toEqual({ rates: [], missing: [] });
});

it('offers the rates of an add-on’s renewal price too, each once', async () => {
  await open(file('rates.csv', golden));
  const [subscription, one, other] = ['EUR', 'EUR', 'GBP'].map((currency) =>
    standing({ startsAt: time, renewalPrice: { amount: '9', currency } }),
  );
  const said = { transactions: [], refunds: [], subscription: subscription!, addOns: [one!, other!] };
  expect(rates.valuation(said).rates.map(({ currency }) => currency)).toEqual(['EUR', 'GBP']);
});

it('offers a rate once that both a payment and the next one need', async () => {
  await open(file('rates.csv', golden));
  const subscription = standing({ startsAt: time, renewalPrice: { amount: '9', currency: 'EUR' } });
  const { rates: offered } = rates.valuation({ transactions: [priced('1', 'EUR')], refunds: [], subscription });
  expect(offered).toHaveLength(1);
});

it('lets a later file win, and reads again what changes', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    const more = file('more.csv', 'Date,AED,\n');
    await open(file('rates.csv', golden), more);
    const changed = new Promise<void>((resolve) => rates.onChange(resolve));
    file('more.csv', 'Date,USD,AED,\n2026-11-20,2.0000,4.0000,\n');
    mock.timers.tick(5_000);
    await changed;
    expect(rates.usd('AED', '2026-11-20')?.usdPerUnit).toMatch(/^0\.5/);
  } finally {
    mock.timers.reset();
  }
});

const age = async () => (await metrics.registry.getSingleMetric('exchange_rates_age_seconds')?.get())?.values[0]?.value;

it('tells at any time how old its newest day is', async () => {
  await open(file('rates.csv', golden));
  expect(await age()).toBe(43_200);
  clock.advance(30 * day);
  expect(await age()).toBe(43_200 + 30 * 86_400);
});

it('tells of no rate at all as of one that is older than any', async () => {
  await open(file('rates.csv', 'Date,USD,\n'));
  expect(await age()).toBe(Infinity);
});

it('warns of rates that end more than a week ago, at the start and whenever it reads them anew', async () => {
  const warned = () => lines.splice(0).map((line) => JSON.parse(line) as unknown);
  const old = (newestDay: string) => [expect.objectContaining({ level: 'warn', newestDay })];
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    const readAgain = async (text: string) => {
      const changed = new Promise<void>((resolve) => rates.onChange(resolve));
      file('rates.csv', text);
      mock.timers.tick(5_000);
      await changed;
      return warned();
    };
    await open(file('rates.csv', golden));
    expect(warned()).toEqual([]);
    clock.advance(8 * day);
    expect(await readAgain(`${golden}2026-11-21,1.1600,,,,\n`)).toEqual(old('2026-11-21'));
    expect(await readAgain(`${golden}2026-11-27,1.1700,,,,\n2026-11-26,1.1650,,,,\n`)).toEqual([]);
    rates.stop();
    await open(file('rates.csv', golden));
    expect(warned()).toEqual(old('2026-11-20'));
  } finally {
    mock.timers.reset();
  }
});

it('warns once, whenever it reads the rates, of money in a currency that they quote no more', async () => {
  const told = () => lines.splice(0).map((line) => JSON.parse(line) as unknown);
  const dropped = '2022-03-01,1.1162,0.8355,128.09,5.7692,117.2\n';
  await open(file('rates.csv', `Date,USD,GBP,JPY,BRL,RUB\n${dropped}2026-11-20,1.1500,0.8700,170.00,N/A,N/A\n`));
  expect(rates.usd('RUB', '2022-03-20')).not.toBeNull();
  expect(rates.usd('JPY', '2027-03-20')).not.toBeNull();
  expect(told()).toEqual([]);
  expect(rates.usd('RUB', '2026-11-20')).not.toBeNull();
  expect(rates.usd('RUB', '2026-11-21')).not.toBeNull();
  expect(told()).toEqual([expect.objectContaining({ level: 'warn', currency: 'RUB', lastDay: '2022-03-01' })]);
});

it.each([
  ['has no rates', 'broken.csv', /broken\.csv: .*line 1/],
  ['is not there', 'missing.csv', /missing\.csv/],
])('names the variable and the file that cannot be read at start: one that %s', async (_fault, name, message) => {
  file('broken.csv', 'no header\n');
  rates = unread(join(folder, name));
  const refused = await rates.start().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigurationError);
  expect(refused).toMatchObject({ faults: [{ variable: 'FX_RATES_FILE', problem: expect.stringMatching(message) }] });
});

it('finds the rates that come with the repository', async () => {
  await open(defaultRatesFile());
  expect(rates.usd('JPY', '2026-10-30')?.usdPerUnit).toMatch(/^0\.0063/);
  expect(rates.usd('JPY', '2027-01-01')).not.toBeNull();
});
