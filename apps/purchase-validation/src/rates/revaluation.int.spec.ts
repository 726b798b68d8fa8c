import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { OutgoingMessage } from '@paywright/messaging';
import { createLogger, ManualClock, Metrics } from '@paywright/platform';
import { chainIdOf } from '@paywright/purchases';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { LookUpBook } from '../look-ups/look-up-book.ts';
import { masterKey, noon } from '../testing/asking-scene.ts';
import { ExchangeRates } from './exchange-rates.ts';
import { Revaluation } from './revaluation.ts';

const day = '2026-11-20';
const chainId = chainIdOf(1, 'stripe', 'sub_1');
const look = {
  ...{ appId: 1, chainId },
  subject: { store: 'stripe', subject: { kind: 'subscription', id: 'sub_1' } },
} as const;
let database: TestDatabase;
let lookUps: LookUpBook;
let rates: ExchangeRates;
let clock: ManualClock;
let directory: string;
let published: OutgoingMessage[];

beforeEach(async () => {
  database = await testDatabase('purchase-validation');
  lookUps = new LookUpBook(database.pool, masterKey);
  directory = mkdtempSync(join(tmpdir(), 'rates-'));
  quote('');
  clock = new ManualClock(noon);
  const logger = createLogger({ service: 'test', level: 'error' });
  rates = new ExchangeRates({ files: [join(directory, 'rates.csv')], clock, logger, metrics: new Metrics() });
  published = [];
});
afterEach(async () => {
  rates.stop();
  rmSync(directory, { recursive: true });
  await database[Symbol.asyncDispose]();
});

const quote = (aed: string) => writeFileSync(join(directory, 'rates.csv'), `Date,USD,AED,\n${day},2,${aed},\n`);
const revaluation = (reach: () => Promise<void> = () => Promise.resolve()) =>
  new Revaluation({
    ...{ lookUps, rates, clock },
    publish: (messages) => reach().then(() => void published.push(...messages)),
  });
/** Lets a minute pass. @returns whose money was valued before it was over, and then */
async function valuedWithin(works: Revaluation): Promise<unknown> {
  const keys: unknown[] = [];
  for (const ms of [59_000, 1_000]) {
    clock.advance(ms);
    await works.valueDue();
    keys.push(published.splice(0).map(({ key }) => key));
  }
  return keys;
}

it('values after the start what has a rate by now, once', async () => {
  await lookUps.answered(look, null, [{ currency: 'AED', day }]);
  quote('4');
  await rates.start();
  const works = revaluation();
  expect(await valuedWithin(works)).toEqual([[], [chainId]]);
  expect(await valuedWithin(works)).toEqual([[], []]);
});

it('values after a change of the rates, but not before all is published that may have lacked them', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    await rates.start();
    const works = revaluation();
    expect(await valuedWithin(works)).toEqual([[], []]);
    const changed = new Promise<void>((resolve) => rates.onChange(resolve));
    quote('4.00');
    mock.timers.tick(5_000);
    await changed;
    await lookUps.answered(look, null, [{ currency: 'AED', day }]);
    expect(await valuedWithin(works)).toEqual([[], [chainId]]);
  } finally {
    mock.timers.reset();
  }
});

it('values later what could not be published', async () => {
  await lookUps.answered(look, null, [{ currency: 'AED', day }]);
  quote('4');
  await rates.start();
  let isAway = true;
  const works = revaluation(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()));
  await expect(valuedWithin(works)).rejects.toThrow('away');
  isAway = false;
  expect(await valuedWithin(works)).toEqual([[chainId], []]);
});
