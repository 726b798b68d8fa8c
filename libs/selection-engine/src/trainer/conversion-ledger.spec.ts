import { describe, expect, it } from '@jest/globals';
import { LtvTables } from '../value/ltv-tables.ts';
import { uniform } from '../uniform.ts';
import { ConversionLedger } from './conversion-ledger.ts';
import type { MoneyRecord, StartRecord } from './learning-record.ts';

const dayMs = 86_400_000;
const from = Date.UTC(2026, 0, 1);

const startOf = (id: string, at: number, change: Partial<StartRecord> = {}): StartRecord => {
  const exposure = { id: `d${id}`, at, paywall: 'p', values: {}, side: null, share: 0, logValue: null };
  return { type: 'start', id, at, exposure, product: 'a', plan: 'week', country: 'de', periodDays: 7, trialDays: 0, ...change }; // prettier-ignore
};
const money = (chain: string, at: number, kind: MoneyRecord['kind']): MoneyRecord => {
  return {
    type: 'money',
    id: `${chain}/${kind}/${at}`,
    chain,
    at,
    kind,
    usd: kind === 'charge' ? 8 : 0,
    nextChargeUsd: null,
  };
};
const rowOf = (ledger: ConversionLedger, now: number) => ledger.rows(now, 180)[0]!.row;

/** Weekly chains that renew four times of five; of those that end, half are told and half fall silent. */
function weeklyChains(count: number, days: number): ConversionLedger {
  const ledger = new ConversionLedger('seed');
  for (let index = 0; index < count; index++) {
    const [id, start] = [`c${index}`, from + Math.floor(uniform(`${index}`, 'at') * days * dayMs)];
    ledger.addStart(startOf(id, start), 0);
    for (let week = 0, at = start; at < from + days * dayMs; week++, at += 7 * dayMs) {
      ledger.addMoney(money(id, at, 'charge'));
      if (uniform(`${index}/${week}`, 'renews') < 0.8) continue;
      const end = at + 7 * dayMs;
      if (uniform(`${index}`, 'told') < 0.5 && end < from + days * dayMs) ledger.addMoney(money(id, end, 'ended'));
      break;
    }
  }
  return ledger;
}

describe('the conversion ledger', () => {
  it.each([20, 30, 60])('does not take the young for loyal: renewals after %d days', (days) => {
    const rows = weeklyChains(8_000, days).rows(from + days * dayMs, 180);
    const rate = new LtvTables(rows.map(({ row }) => row)).renewal('a', 'week');
    expect(rate).toBeGreaterThan(0.78);
    expect(rate).toBeLessThan(0.82);
  });

  it('takes a charge that did not come for an end, until it comes', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from), 0);
    ledger.addMoney(money('c', from, 'charge'));
    expect(rowOf(ledger, from + 9 * dayMs).stage).toBe('paid');
    expect(rowOf(ledger, from + 11 * dayMs)).toMatchObject({ stage: 'ended', payments: 1, isYoung: false });
    ledger.addMoney(money('c', from + 11 * dayMs, 'charge'));
    expect(rowOf(ledger, from + 12 * dayMs)).toMatchObject({ stage: 'paid', payments: 2, isYoung: true });
  });

  it('counts a trial once its end is three days past, however it ended', () => {
    for (const kind of ['charge', 'ended'] as const) {
      const ledger = new ConversionLedger('seed');
      ledger.addStart(startOf('c', from, { trialDays: 3 }), 0);
      ledger.addMoney(money('c', from + 3 * dayMs, kind));
      const rate = (day: number) => new LtvTables([rowOf(ledger, from + day * dayMs)]).trialToPaid('a');
      expect(rate(5)).toBeCloseTo(0.4, 12);
      expect(rate(7)).toBeCloseTo(kind === 'charge' ? 5 / 11 : 4 / 11, 12);
    }
  });
});
