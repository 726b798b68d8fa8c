import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LedgerRow } from './ledger-row.ts';
import { LtvTables } from './ltv-tables.ts';
import { Outsets, projectionOf } from './project-value.ts';
import { valuesByOdds } from './values-by-odds.ts';

/** Columns of the field `goal`, behind the intercept's. */
const [sleep, focus] = [1, 2];
const columns = 3;
const options = { horizonDays: 180, designs: [[0], [0], [1]], columns };

const row = (change: Partial<LedgerRow>): LedgerRow => ({
  ...{ active: Int32Array.of(0, sleep), arm: 0, product: 'gold', plan: 'week', country: 'de' },
  ...{ periodDays: 7, trialDays: 0, stage: 'ended', payments: 1, refunds: 0, chargedUsd: 8, realisedUsd: 8 },
  ...{ extrasUsd: 0, nextChargeUsd: null, ...change },
});
/** Who sleeps pays for trials and renews four times as often as who focuses. */
const seen = [
  ...Array.from({ length: 100 }, () => row({ trialDays: 3, payments: 8, chargedUsd: 64 })),
  ...Array.from({ length: 100 }, (_, index) => {
    return row({ active: Int32Array.of(0, focus), trialDays: 3, payments: index % 2, chargedUsd: 8 * (index % 2) });
  }),
];
const lifetimes = Array.from({ length: 50 }, () => row({ arm: 2, product: 'life', plan: 'one-time', chargedUsd: 70 }));

describe('values by odds', () => {
  it('are more of who goes on where there is something to go on with, and nothing of a lifetime', () => {
    const rows = [...seen, ...lifetimes];
    const values = valuesByOdds(rows, new LtvTables(rows), options);
    expect(values).toHaveLength(3 * columns);
    expect(values[sleep]).toBeGreaterThan(0.3);
    expect(values[focus]).toBeLessThan(-0.3);
    expect(values.subarray(2 * columns).every((value) => value === 0)).toBe(true);
  });

  it('are those of its design for a variant that nobody started on yet', () => {
    const values = valuesByOdds(seen, new LtvTables(seen), options);
    for (let column = 0; column < columns; column++) expect(values[columns + column]).toBeCloseTo(values[column]!, 12);
  });

  it('are nothing where nothing was seen', () => {
    expect([...valuesByOdds([], new LtvTables([]), options)]).toEqual(Array(9).fill(0));
  });

  it('go by outsets that are the same whatever was asked for before', () => {
    const tables = new LtvTables(seen);
    const outsets = new Outsets(tables, 180);
    const sold = [
      ...[{}, { trialDays: 3 }, { trialDays: 7 }, { periodDays: 14 }, { plan: 'one-time' }, { product: 'life' }],
      ...[{ country: 'fr' }, { nextChargeUsd: 20 }, { trialDays: 200 }],
    ].map(row);
    for (const one of [...sold, ...sold.toReversed()])
      expect(outsets.of(one)).toEqual(new Outsets(tables, 180).of(one));
    expect(new Set(sold.map((one) => outsets.of(one).usd)).size).toBeGreaterThan(6);
  });

  it('are small steps of what a projection makes of other odds', () => {
    const plans = fc.constantFrom(['week', 7], ['month', 30], ['year', 365], ['one-time', 1]) as fc.Arbitrary<[string, number]>; // prettier-ignore
    fc.assert(
      fc.property(plans, fc.constantFrom(0, 5), ([plan, periodDays], trialDays) => {
        const tables = new LtvTables([]);
        const fresh = row({ plan, periodDays, trialDays, stage: trialDays > 0 ? 'trial' : 'paid', payments: 0, realisedUsd: 0 }); // prettier-ignore
        const { usd, byTrial, byRenewal } = new Outsets(tables, 180).of(fresh);
        const kept = 1 - tables.refund(fresh.product);
        expect(kept * usd).toBeCloseTo(projectionOf(fresh, tables, 180).usd, 10);
        const step = 1e-5;
        const moved = (rate: number) => 1 / (1 + (1 / rate - 1) * Math.exp(-step));
        const growth = (change: Partial<Pick<LtvTables, 'renewal' | 'trialToPaid'>>) => {
          const other = Object.assign(new LtvTables([]), change);
          return Math.log(projectionOf(fresh, other, 180).usd / (kept * usd)) / step;
        };
        expect(growth({ renewal: (_product, _plan, nth) => moved(tables.renewal('gold', plan, nth)) })).toBeCloseTo(
          byRenewal,
          3,
        );
        expect(growth({ trialToPaid: () => moved(tables.trialToPaid('gold')) })).toBeCloseTo(byTrial, 3);
      }),
    );
  });
});
