import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Dictionary } from '../features/dictionary.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import { ByteReader } from '../snapshot/byte-reader.ts';
import { ByteWriter } from '../snapshot/byte-writer.ts';
import { LtvTables } from '../value/ltv-tables.ts';
import { projectionOf } from '../value/project-value.ts';
import { uniform } from '../uniform.ts';
import { ConversionLedger } from './conversion-ledger.ts';
import { KeptConversions } from './kept-conversions.ts';
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
const told = (chain: string, at: number, nextChargeUsd: number): MoneyRecord => {
  return { type: 'money', id: `${chain}/next/${nextChargeUsd}`, chain, at, kind: 'extra', usd: 0, nextChargeUsd };
};
/** By themselves, as the ledger reads them from where it keeps them. */
const plainMoney = ({
  type,
  id,
  chain,
  at,
  kind,
  usd,
  nextChargeUsd,
  valuedBy,
  periodDays,
  renews,
  reverses,
}: MoneyRecord) => {
  return { type, id, chain, at, kind, usd, nextChargeUsd, valuedBy, periodDays, renews, reverses };
};
const plainStart = ({ type, id, at, exposure, product, plan, country, periodDays, trialDays }: StartRecord) => {
  const { paywall, values, side, share, logValue } = exposure;
  const shown = { id: exposure.id, at: exposure.at, paywall, values, side, share, logValue };
  return { type, id, at, shown, product, plan, country, periodDays, trialDays };
};
const encoder = new FeatureEncoder(new Dictionary([]));
const projectValue = (...of: Parameters<typeof projectionOf>) => projectionOf(...of).usd;
const rowOf = (ledger: ConversionLedger, now: number) => ledger.rows(now, 180, encoder)[0]!.row;

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
  it('tells what it was made of, however often and in whatever order that came, also restored from bytes', () => {
    const text = fc.oneof(fc.constantFrom('c1', 'c2', 'c1/x', 'c\0'), fc.string({ unit: 'grapheme', maxLength: 5 }));
    const usd = fc.constantFrom(0, 0.01, 9.99, 1e9, -1);
    const record: fc.Arbitrary<MoneyRecord> = fc.record(
      {
        ...{ type: fc.constant('money' as const), chain: text, id: text, at: fc.integer({ min: from, max: from + 3 }) },
        ...{ kind: fc.constantFrom('charge', 'refund', 'extra', 'ended'), usd, nextChargeUsd: fc.option(usd) },
        ...{ valuedBy: text, periodDays: fc.constantFrom(7, 365.25), renews: fc.boolean(), reverses: fc.boolean() },
      },
      { requiredKeys: ['type', 'chain', 'id', 'at', 'kind', 'usd', 'nextChargeUsd'] },
    );
    const records = fc
      .array(record, { maxLength: 20 })
      .map((all) => all.map((one) => ({ ...one, id: one.at % 2 === 0 ? one.id : `${one.chain}/${one.id}` })));
    const startOfChain = fc.record({ id: text, values: fc.dictionary(text, text), share: fc.double({ noNaN: true }) });
    const starts = fc.uniqueArray(startOfChain, { selector: ({ id }) => id, maxLength: 5 });
    const logValue = fc.option(fc.constantFrom(-1.5, 0));
    fc.assert(
      fc.property(records, starts, logValue, fc.nat(), (all, some, promised, cut) => {
        const money = [...new Map(all.map((one) => [JSON.stringify([one.chain, one.id]), one])).values()];
        const made = some.map(({ id, values, share }) => {
          const exposure = {
            id: `d${id}`,
            at: from,
            paywall: id,
            values,
            side: 'ai' as const,
            share,
            logValue: promised,
          };
          return { start: startOf(id, from, { exposure, product: id }), arm: id.length, isShown: id.length % 2 === 0 };
        });
        let ledger = new ConversionLedger('seed');
        const restore = () => {
          const writer = new ByteWriter();
          ledger.state().write(writer);
          ledger = new ConversionLedger('seed', KeptConversions.read(new ByteReader(writer.bytes())));
        };
        money.forEach((one, index) => {
          ledger.addMoney(one);
          if (index === cut % 20) restore();
        });
        for (const { start, arm, isShown } of made) ledger.addStart(start, arm, isShown);
        restore();
        for (const one of money.toReversed()) ledger.addMoney(one);
        const told = ledger.records();
        const bySpelling = (some: readonly object[]) => some.map((one) => JSON.stringify(one)).toSorted();
        expect(bySpelling(told.money.map(plainMoney))).toEqual(bySpelling(money.map(plainMoney)));
        expect(bySpelling(told.starts.map((one) => ({ ...one, start: plainStart(one.start) })))).toEqual(
          bySpelling(made.map((one) => ({ ...one, start: plainStart(one.start) }))),
        );
        expect(made.every(({ start }) => ledger.has(start.id))).toBe(true);
        expect(ledger.starts).toBe(made.length);
      }),
    );
  });

  it.each([20, 30, 60])('does not take the young for loyal: renewals after %d days', (days) => {
    const rows = weeklyChains(8_000, days).rows(from + days * dayMs, 180, encoder);
    const tables = new LtvTables(rows.map(({ row }) => row));
    // Fewer could be renewed twice.
    expect(Math.abs(tables.renewal('a', 'week', 1) - 0.8)).toBeLessThan(0.02);
    expect(Math.abs(tables.renewal('a', 'week', 2) - 0.8)).toBeLessThan(0.03);
  });

  it.each(['charge', 'extra', 'refund'] as const)('counts an absurd %s as a hundred usual charges', (kind) => {
    const ledger = weeklyChains(50, 30);
    ledger.addStart(startOf('absurd', from), 0);
    for (const usd of [1e9, Number.MAX_VALUE]) {
      ledger.addMoney({ ...money('absurd', from, 'charge'), id: `${usd}`, kind, usd, nextChargeUsd: usd });
    }
    const { row } = ledger.rows(from + dayMs, 180, encoder).find(({ start }) => start.id === 'absurd')!;
    const amounts = { charge: [1_600, 1_600, 0], extra: [0, 0, 1_600], refund: [0, -1_600, 0] }[kind];
    expect([row.chargedUsd, row.realisedUsd, row.extrasUsd]).toEqual(amounts);
    expect(row.nextChargeUsd).toBe(800);
  });

  it('counts a dear lifetime in full beside weeks of .99', () => {
    const ledger = new ConversionLedger('seed');
    for (let index = 0; index < 50; index++) {
      ledger.addStart(startOf(`${index}`, from), 0);
      ledger.addMoney({ ...money(`${index}`, from, 'charge'), usd: 0.99 });
    }
    ledger.addStart(startOf('lifetime', from, { plan: 'one-time' }), 0);
    ledger.addMoney({ ...money('lifetime', from, 'charge'), usd: 299 });
    const { row } = ledger.rows(from + dayMs, 180, encoder).find(({ start }) => start.id === 'lifetime')!;
    expect(row).toMatchObject({ chargedUsd: 299, realisedUsd: 299 });
  });

  it('takes back what it counted of an absurd charge, and never counts more than a million', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('absurd', from), 0);
    ledger.addMoney({ ...money('absurd', from, 'charge'), usd: 1e9 });
    expect(rowOf(ledger, from + dayMs)).toMatchObject({ chargedUsd: 1e6, realisedUsd: 1e6 });
    ledger.addMoney({ ...money('absurd', from, 'refund'), usd: 1e9 });
    expect(rowOf(ledger, from + dayMs)).toMatchObject({ chargedUsd: 1e6, realisedUsd: 0 });
  });

  it('takes a charge that did not come for an end, until it comes', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from), 0);
    ledger.addMoney(money('c', from, 'charge'));
    expect(rowOf(ledger, from + 9 * dayMs).stage).toBe('paid');
    expect(rowOf(ledger, from + 11 * dayMs)).toMatchObject({ stage: 'ended', payments: 1, isEndYoung: false });
    ledger.addMoney(money('c', from + 11 * dayMs, 'charge'));
    expect(rowOf(ledger, from + 12 * dayMs)).toMatchObject({ stage: 'paid', payments: 2 });
  });

  it('takes a one-time purchase that nobody was charged for, as by a promotion code, for one that costs nothing', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from, { plan: 'one-time' }), 0);
    // Its price may be on its way.
    expect(rowOf(ledger, from + 2 * dayMs)).toMatchObject({ stage: 'paid', payments: 0 });
    const row = rowOf(ledger, from + 4 * dayMs);
    expect(row).toMatchObject({ stage: 'ended', payments: 0 });
    expect(projectValue(row, new LtvTables([row]), 180)).toBe(0);
    ledger.addMoney(money('c', from + 5 * dayMs, 'charge'));
    expect(rowOf(ledger, from + 100 * dayMs)).toMatchObject({ stage: 'paid', payments: 1, realisedUsd: 8 });
  });

  it.each([
    ['month', 28, [0, 28, 59]],
    ['half-year', 181, [0, 181, 365]],
  ])('does not take for an end that a %s lasts longer than the first one did', (_, periodDays, charged) => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from, { plan: 'month', periodDays }), 0);
    for (const [index, day] of charged.entries()) {
      if (index > 0)
        expect(rowOf(ledger, from + (day + 1.5) * dayMs)).toMatchObject({ stage: 'paid', payments: index });
      ledger.addMoney(money('c', from + day * dayMs, 'charge'));
    }
  });

  it('counts months of 28 days that were renewed no sooner than those that were not', () => {
    const rateOn = (day: number) => {
      const ledger = new ConversionLedger('seed');
      for (const id of ['renewed', 'silent']) {
        ledger.addStart(startOf(id, from, { plan: 'month', periodDays: 28 }), 0);
        ledger.addMoney(money(id, from, 'charge'));
      }
      ledger.addMoney(money('renewed', from + 28 * dayMs, 'charge'));
      const rows = ledger.rows(from + day * dayMs, 180, encoder).map(({ row }) => row);
      return new LtvTables(rows).renewal('other', 'month', 1);
    };
    expect([28.5, 31.5, 33, 34].map(rateOn)).toEqual([46.5 / 60, 46.5 / 60, 46.5 / 60, 47.5 / 62]);
  });

  it('takes a charge that nobody can value yet for a payment, until its charge tells the USD', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from, { trialDays: 7 }), 0);
    const at = from + 7 * dayMs;
    const charge = money('c', at, 'charge');
    ledger.addMoney({ ...charge, id: 'unvalued', kind: 'extra', usd: 0, valuedBy: charge.id });
    const unvalued = rowOf(ledger, from + 12 * dayMs);
    expect(unvalued).toMatchObject({ stage: 'paid', payments: 1, unvalued: 1, chargedUsd: 0, realisedUsd: 0 });
    expect(new LtvTables([unvalued]).trialToPaid('a')).toBe(9.5 / 21);
    ledger.addMoney(charge);
    expect(rowOf(ledger, from + 12 * dayMs)).toMatchObject({ stage: 'paid', payments: 1, unvalued: 0, chargedUsd: 8 });
  });

  it('takes a refund for none once it is reversed, as that of a dispute that was won', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from), 0);
    ledger.addMoney({ ...money('c', from, 'charge'), usd: 8 });
    ledger.addMoney({ ...money('c', from + dayMs, 'refund'), usd: 8 });
    expect(rowOf(ledger, from + 3 * dayMs)).toMatchObject({
      refunds: 1,
      realisedUsd: 0,
      refundedAfter: [1],
      refundable: [],
    });
    const won: MoneyRecord = { ...money('c', from + 2 * dayMs, 'extra'), usd: 8, reverses: true };
    ledger.addMoney(won);
    const row = rowOf(ledger, from + 3 * dayMs);
    expect(row).toMatchObject({ refunds: 0, realisedUsd: 8, extrasUsd: 0, refundedAfter: [] });
    expect(row.refundable).toEqual([{ usd: 8, days: 3 }]);
    // Of what was never given back it is money besides.
    ledger.addMoney({ ...won, id: 'another', at: from + 2.5 * dayMs });
    expect(rowOf(ledger, from + 3 * dayMs)).toMatchObject({ refunds: 0, realisedUsd: 8, extrasUsd: 8 });
  });

  it('takes what was given back of a charge that nobody can value for given back, until its refund tells the USD', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from), 0);
    const [charge, refund] = [money('c', from, 'charge'), money('c', from + dayMs, 'refund')];
    ledger.addMoney({ ...charge, id: 'unvalued charge', kind: 'extra', usd: 0, valuedBy: charge.id });
    ledger.addMoney({ ...refund, id: 'unvalued refund', usd: 0, valuedBy: refund.id });
    ledger.addMoney(money('c', from + dayMs, 'ended'));
    const unvalued = rowOf(ledger, from + 12 * dayMs);
    expect(unvalued).toMatchObject({ payments: 1, unvalued: 1, refunds: 1, unvaluedRefunds: 1, realisedUsd: 0 });
    const tables = new LtvTables([unvalued]);
    // One of one, as the product's own and as one of all: each drawn by 40 pseudo-counts.
    expect(tables.refund('a')).toBeCloseTo(0.05 + (2 * 0.95) / 41, 2);
    expect(projectValue(unvalued, tables, 180)).toBe(0);
    ledger.addMoney(charge);
    ledger.addMoney({ ...refund, usd: 8 });
    const valued = { payments: 1, unvalued: 0, refunds: 1, unvaluedRefunds: 0, chargedUsd: 8, realisedUsd: 0 };
    expect(rowOf(ledger, from + 12 * dayMs)).toMatchObject(valued);
  });

  it('expects of who comes back after a pause what the horizon still has room for, and nothing behind it', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from), 0);
    const worthOn = (day: number) => {
      ledger.addMoney(money('c', from + day * dayMs, 'charge'));
      // What may be given back of the charge itself is another matter.
      const row = { ...rowOf(ledger, from + day * dayMs), refundable: [] };
      return projectValue(row, new LtvTables([row]), 180) - row.realisedUsd;
    };
    const [ofMany, ofFour, ofOne] = [worthOn(0), worthOn(150), worthOn(169)];
    expect([ofMany > 40, ofFour > 20, ofFour < 22, ofOne > 5, ofOne < 8]).toEqual([true, true, true, true, true]);
    expect([worthOn(176), worthOn(240)]).toEqual([0, 0]);
  });

  describe('where someone changes to a plan of another length', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from), 0);
    const weeks = [0, 7, 14].map((day) => money('c', from + day * dayMs, 'charge'));
    const year = { ...money('c', from + 16 * dayMs, 'charge'), usd: 60, periodDays: 365 };
    for (const record of [...weeks, told('c', from, 8), year]) ledger.addMoney(record);

    it('takes its charge for no renewal, nor for what a week costs, and no silence for an end', () => {
      const row = rowOf(ledger, from + 60 * dayMs);
      expect(row).toMatchObject({
        stage: 'paid',
        payments: 4,
        changes: 1,
        charged: 3,
        chargedUsd: 24,
        realisedUsd: 84,
      });
      const tables = new LtvTables([row]);
      expect(tables.renewal('other', 'week', 1)).toBeCloseTo((51 + 1) / (60 + 1), 12);
      expect(tables.renewal('other', 'week', 2)).toBeGreaterThan((51 + 1) / (60 + 1));
      expect([tables.chargeUsd('a', 'de'), projectValue(row, tables, 180)]).toEqual([8, 84]);
      expect(rowOf(ledger, from + 400 * dayMs)).toMatchObject({ stage: 'ended' });
    });

    it('expects what was charged then as often as the horizon has room for it, until the former plan is charged again', () => {
      const monthly = new ConversionLedger('seed');
      monthly.addStart(startOf('c', from), 0);
      for (const record of [...weeks, told('c', from, 8)]) monthly.addMoney(record);
      monthly.addMoney({ ...year, usd: 12, periodDays: 30 });
      const changed = rowOf(monthly, from + 17 * dayMs);
      expect(changed).toMatchObject({ nextChargeUsd: 12, renewalsLeft: 5 });
      const tables = new LtvTables([changed]);
      const [rate, kept] = [tables.renewal('a', 'week', 2, changed.active), 12 * (1 - tables.refund('a'))];
      const expected = kept * (rate + rate ** 2 + rate ** 3 + rate ** 4 + rate ** 5);
      expect(
        projectValue({ ...changed, periodGone: 0, refundable: [] }, tables, 180) - changed.realisedUsd,
      ).toBeCloseTo(expected, 9);
      monthly.addMoney(money('c', from + 46 * dayMs, 'charge'));
      expect(rowOf(monthly, from + 47 * dayMs)).toMatchObject({ payments: 5, changes: 1, nextChargeUsd: 8 });
    });
  });

  it('expects of a plan that someone changed to no renewal that falls due behind the horizon', () => {
    // Months from day 60 on are due on 90, 121, 151, and on 182, two days behind it.
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from), 0);
    ledger.addMoney(money('c', from, 'charge'));
    ledger.addMoney({ ...money('c', from + 60 * dayMs, 'charge'), usd: 12, periodDays: 30 });
    expect(rowOf(ledger, from + 61 * dayMs)).toMatchObject({ changes: 1, renewalsLeft: 3 });
  });

  it('takes back no charge that came too late to count', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from, { plan: 'year', periodDays: 365 }), 0);
    const refund = (days: number) => ({ ...money('c', from + days * dayMs, 'refund'), usd: 8 });
    for (const days of [0, 365]) ledger.addMoney(money('c', from + days * dayMs, 'charge'));
    ledger.addMoney(refund(370));
    expect(rowOf(ledger, from + 400 * dayMs)).toMatchObject({ payments: 2, refunds: 1, realisedUsd: 8 });
    // The first year was given back before the second was charged, behind the horizon as it was.
    ledger.addMoney(refund(200));
    expect(rowOf(ledger, from + 400 * dayMs)).toMatchObject({ refunds: 2, realisedUsd: 0 });
  });

  describe('of a next charge that the store told', () => {
    const trial = startOf('c', from, { trialDays: 3 });
    const noTables = new LtvTables([]);
    const ledgerOf = (...records: readonly MoneyRecord[]) => {
      const ledger = new ConversionLedger('seed');
      ledger.addStart(trial, 0);
      for (const record of records) ledger.addMoney(record);
      return ledger;
    };
    const valueOf = (...records: readonly MoneyRecord[]) =>
      projectValue(rowOf(ledgerOf(...records), from + dayMs), noTables, 180);

    it('thinks a trial will bring that, not the mean of all charges', () => {
      expect(rowOf(ledgerOf(), from + dayMs).nextChargeUsd).toBeNull();
      expect(valueOf(told('c', from, 20))).toBeCloseTo(2 * valueOf(), 12); // 10 USD, as long as nothing is known
    });

    it('counts no money of it, and no payment', () => {
      const row = { stage: 'trial', payments: 0, realisedUsd: 0, extrasUsd: 0, nextChargeUsd: 20 };
      expect(rowOf(ledgerOf(told('c', from, 20)), from + dayMs)).toMatchObject(row);
    });

    it('takes the newest, of whatever kind, in any order and however often it is told', () => {
      const records = [
        told('c', from, 8),
        { ...money('c', from + 3 * dayMs, 'charge'), nextChargeUsd: 9 },
        money('c', from + 10 * dayMs, 'charge'),
        told('c', from + 11 * dayMs, 12),
        money('c', from + 17 * dayMs, 'charge'),
      ];
      const nextOf = (given: readonly MoneyRecord[]) => rowOf(ledgerOf(...given), from + 18 * dayMs).nextChargeUsd;
      expect([1, 2, 3, 4, 5].map((count) => nextOf(records.slice(0, count)))).toEqual([8, 9, 9, 12, 12]);
      fc.assert(
        fc.property(fc.shuffledSubarray([...records, ...records], { minLength: 10 }), (given) => {
          expect(ledgerOf(...given).state()).toEqual(ledgerOf(...records).state());
          expect(nextOf(given)).toBe(12);
        }),
      );
    });
  });

  it('knows how much of its trial is over, or was when it was paid for or said to end', () => {
    const goneOf = (now: number, ...records: readonly MoneyRecord[]) => {
      const ledger = new ConversionLedger('seed');
      ledger.addStart(startOf('c', from, { trialDays: 3 }), 0);
      for (const record of records) ledger.addMoney(record);
      return rowOf(ledger, from + now * dayMs).trialGone;
    };
    expect([0, 1.5, 3, 4.5, 6, 400].map((now) => goneOf(now))).toEqual([0, 0.5, 1, 1.5, 2, 2]);
    const ended = money('c', from + 1.5 * dayMs, 'ended');
    const charges = [3, 10].map((day) => money('c', from + day * dayMs, 'charge'));
    expect([goneOf(2, ended), goneOf(400, ended)]).toEqual([0.5, 0.5]);
    expect([goneOf(4, ...charges), goneOf(400, ended, ...charges)]).toEqual([1, 1]);
    expect(goneOf(400, money('c', from + 300 * dayMs, 'charge'))).toBe(2);
    expect(goneOf(2, money('c', from - dayMs, 'ended'))).toBe(0);
  });

  it('does not take a trial for lost where those that are over by then were shorter ones', () => {
    const ledger = new ConversionLedger('seed');
    const begin = from + 30 * dayMs;
    for (let index = 0; index < 100; index++) {
      const id = `short ${index}`;
      ledger.addStart(startOf(id, from, { trialDays: 3 }), 0);
      if (index < 40) ledger.addMoney(money(id, from + 3 * dayMs, 'charge'));
      else if (index < 70) ledger.addMoney(money(id, from + 0.1 * dayMs, 'ended'));
    }
    ledger.addStart(startOf('long', begin, { trialDays: 7 }), 0);
    const valueOn = (day: number) => {
      const credited = ledger.rows(begin + day * dayMs, 180, encoder);
      const { row } = credited.find(({ start }) => start.id === 'long')!;
      return projectValue(row, new LtvTables(credited.map((one) => one.row)), 180);
    };
    // .4 of all are paid for, .57 of those that nobody ended at once.
    expect(valueOn(5) / valueOn(0)).toBeGreaterThan(1.2);
    expect(valueOn(9) / valueOn(0)).toBeLessThan(0.5);
  });

  it('knows how much of its period is over, or was when its end was told', () => {
    const goneOf = (now: number, ...records: readonly MoneyRecord[]) => {
      const ledger = new ConversionLedger('seed');
      ledger.addStart(startOf('c', from), 0);
      for (const record of records) ledger.addMoney(record);
      return rowOf(ledger, from + now * dayMs).periodGone;
    };
    const paid = money('c', from, 'charge');
    expect(goneOf(5)).toBe(0);
    expect([0, 3.5, 7, 8.5, 400].map((now) => goneOf(now, paid))).toEqual([0, 0.5, 1, 1.5, 2]);
    const month = { ...paid, periodDays: 30 };
    expect([29, 31.9, 32.4].map((now) => goneOf(now, month)! > 1)).toEqual([false, false, true]);
    const renewed = money('c', from + 7 * dayMs, 'charge');
    expect(goneOf(8.75, paid, money('c', from + 2 * dayMs, 'ended'), renewed)).toBe(0.25);
    expect(goneOf(400, paid, renewed, money('c', from + 10.5 * dayMs, 'ended'))).toBe(0.5);
  });

  it('goes on once its store says that it renews again, until it ends anew', () => {
    const ledger = new ConversionLedger('seed');
    ledger.addStart(startOf('c', from), 0);
    const renewed: MoneyRecord = { ...money('c', from + 2 * dayMs, 'extra'), renews: true };
    // In any order.
    for (const record of [renewed, money('c', from, 'charge'), money('c', from + dayMs, 'ended')])
      ledger.addMoney(record);
    expect(rowOf(ledger, from + 3 * dayMs)).toMatchObject({ stage: 'paid', extrasUsd: 0, periodGone: 3 / 7 });
    ledger.addMoney(money('c', from + 4 * dayMs, 'ended'));
    expect(rowOf(ledger, from + 5 * dayMs)).toMatchObject({ stage: 'ended', periodGone: 4 / 7 });
  });

  it('counts a trial once its end is three days past, however it ended', () => {
    for (const kind of ['charge', 'ended'] as const) {
      const ledger = new ConversionLedger('seed');
      ledger.addStart(startOf('c', from, { trialDays: 3 }), 0);
      ledger.addMoney(money('c', from + 3 * dayMs, kind));
      const rate = (day: number) => new LtvTables([rowOf(ledger, from + day * dayMs)]).trialToPaid('a');
      expect(rate(5)).toBeCloseTo(8.5 / 20, 12);
      expect(rate(7)).toBeCloseTo((kind === 'charge' ? 9.5 : 8.5) / 21, 12);
    }
  });

  it('counts who pays and ends it at once no sooner than who falls silent', () => {
    const ledgerOf = (trialDays: number, ...paidOn: readonly number[]) => {
      const ledger = new ConversionLedger('seed');
      ledger.addStart(startOf('c', from, { trialDays }), 0);
      for (const day of paidOn) ledger.addMoney(money('c', from + day * dayMs, 'charge'));
      ledger.addMoney(money('c', from + (paidOn.at(-1)! + 0.1) * dayMs, 'ended'));
      return ledger;
    };
    const tablesOf = (ledger: ConversionLedger, day: number) => new LtvTables([rowOf(ledger, from + day * dayMs)]);
    const trials = [8, 9, 10.1].map((day) => tablesOf(ledgerOf(7, 7), day).trialToPaid('a'));
    expect(trials).toEqual([8.5 / 20, 8.5 / 20, 9.5 / 21]);
    // Who pays long before the trial is over, too.
    expect(tablesOf(ledgerOf(7, 2), 9.9).trialToPaid('a')).toBe(8.5 / 20);
    const renewals = [8, 9, 10.1].map((day) => tablesOf(ledgerOf(0, 0, 7), day).renewal('other', 'week', 1));
    expect(renewals).toEqual([51 / 60, 51 / 60, 52 / 61]);
  });
});
