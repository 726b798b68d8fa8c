import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { uniform } from '../uniform.ts';
import { calibrate, calibrated } from './calibrate.ts';
import { labelRows, labelStarts, quantileOf, type RowOfChain } from './label-starts.ts';
import type { LedgerRow } from './ledger-row.ts';
import { LtvTables } from './ltv-tables.ts';
import { RateErrors } from './rate-errors.ts';
import { SideRates } from './side-rates.ts';
import { SlopesOfRows } from './slopes-of-rows.ts';
import { chargesWithin, projectionOf } from './project-value.ts';

const row = (change: Partial<RowOfChain> = {}): RowOfChain => ({
  id: 'chain',
  active: Int32Array.of(0),
  arm: 0,
  product: 'gold',
  plan: 'month',
  country: 'de',
  periodDays: 30,
  trialDays: 0,
  stage: 'paid',
  payments: 1,
  refunds: 0,
  chargedUsd: 10,
  realisedUsd: 10,
  extrasUsd: 0,
  nextChargeUsd: null,
  ...change,
});
const rows = fc
  .array(
    fc
      .record({
        product: fc.constantFrom('gold', 'silver'),
        plan: fc.constantFrom('week', 'month', 'year', 'one-time', 'other'),
        country: fc.constantFrom('de', 'fr'),
        trialDays: fc.constantFrom(0, 7),
        stage: fc.constantFrom('trial' as const, 'paid' as const, 'ended' as const),
        payments: fc.nat({ max: 5 }),
        extrasUsd: fc.double({ min: 0, max: 1e4, noNaN: true }),
        realisedUsd: fc.double({ min: -100, max: 1e4, noNaN: true }),
      })
      .map((change) => row({ ...change, chargedUsd: 10 * change.payments })),
    { maxLength: 60 },
  )
  .map((list) => list.map((one, index) => ({ ...one, id: `${index}` })));

const projectValue = (...of: Parameters<typeof projectionOf>) => projectionOf(...of).usd;
const slopesOf = (...of: Parameters<typeof projectionOf>) => projectionOf(...of).slopes;

function rateErrorsOf(tables: LtvTables, sold: LedgerRow) {
  const none = new SideRates([], tables);
  const rateErrors = new RateErrors(tables, { ai: none, baseline: none });
  const slopes = new SlopesOfRows(2);
  slopes.set(1, slopesOf(sold, tables, 180));
  const { rates, usd } = rateErrors.of(sold, 'ai', slopes, 1);
  return rates.map((rate, index) => ({ rate: rateErrors.names[rate], usd: usd[index]! })).filter(({ usd }) => usd > 0);
}

describe('the tables', () => {
  it('say what the priors say of what they have not seen', () => {
    const tables = new LtvTables([]);
    expect(tables.trialToPaid('gold')).toBe(0.425);
    for (const nth of [1, 2, 9])
      expect(['week', 'month', 'year'].map((plan) => tables.renewal('gold', plan, nth))).toEqual([0.85, 0.775, 0.5]);
    expect(tables.refund('gold')).toBeCloseTo(0.05, 12);
    expect(tables.chargeUsd('gold', 'de')).toBe(10);
  });

  it('say what they would if nobody had asked before', () => {
    const ages = [0, 0.2, 0.97, 1, 1.02, 1.5, 2];
    const trial = { trialDays: 7, payments: 0, chargedUsd: 0, realisedUsd: 0, stage: 'ended' as const };
    const known = ['gold', 'silver'].flatMap((product, index) => [
      ...ages.map((gone) => row({ ...trial, product, trialGone: gone * 0.9 })),
      ...ages.map((gone) => row({ product, stage: 'ended', payments: 2 + index, chargedUsd: 7, periodGone: gone })),
      row({ product, plan: 'week', trialDays: 7, payments: 4, chargedUsd: 9, country: index === 0 ? 'de' : 'fr' }),
    ]);
    const asked = ['gold', 'silver', 'none'].flatMap((product) => [
      ...ages.map((gone) => (tables: LtvTables) => tables.trialToPaid(product, undefined, gone)),
      ...['month', 'week', 'year'].flatMap((plan) =>
        [1, 2].flatMap((nth) =>
          ages.map((gone) => (tables: LtvTables) => tables.renewal(product, plan, nth, undefined, gone)),
        ),
      ),
      ...['de', 'fr'].map((country) => (tables: LtvTables) => tables.chargeUsd(product, country)),
    ]);
    const tables = new LtvTables(known);
    const anew = asked.map((ask) => ask(new LtvTables(known)));
    expect(new Set(anew).size).toBeGreaterThan(30);
    for (const order of [asked, asked.toReversed()]) for (const ask of order) ask(tables);
    expect(asked.map((ask) => ask(tables))).toEqual(anew);
  });

  it('count resolved trials and periods alone', () => {
    const trial = { trialDays: 7, payments: 0, chargedUsd: 0, realisedUsd: 0 };
    const tables = new LtvTables([
      row({ ...trial, stage: 'trial' }),
      row({ ...trial, stage: 'ended' }),
      row({ trialDays: 7, payments: 3, chargedUsd: 30 }),
      row({ payments: 2, stage: 'ended', refunds: 1, chargedUsd: 20 }),
    ]);
    expect(tables.trialToPaid('gold')).toBeCloseTo((8.5 + 1) / (20 + 2), 14);
    expect(tables.refund('silver')).toBeCloseTo(3 / 45, 3);
    // Of the first renewal two came; of later ones one came, and one did not.
    const ofPlan = (46.5 + 2) / (60 + 2);
    expect(tables.renewal('other product', 'month', 1)).toBeCloseTo(ofPlan, 14);
    const first = (60 * ofPlan + 2) / (60 + 2);
    expect(tables.renewal('gold', 'month', 1)).toBeCloseTo(first, 14);
    // Later ones are thought to be moved with the first.
    const { slope, left } = tables.following;
    const odds = (rate: number) => rate / (1 - rate);
    const moved = (rate: number, from: number, to: number) => {
      const ofMoved = odds(rate) * (odds(to) / odds(from)) ** slope;
      return ofMoved / (1 + ofMoved);
    };
    const strength = 60 / left;
    const laterOfPlan = (strength * moved(0.775, 0.775, ofPlan) + 1) / (strength + 2);
    expect(tables.renewal('other product', 'month', 2)).toBeCloseTo(laterOfPlan, 14);
    const later = (strength * moved(laterOfPlan, ofPlan, first) + 1) / (strength + 2);
    for (const nth of [2, 3, 20]) expect(tables.renewal('gold', 'month', nth)).toBeCloseTo(later, 14);
  });

  it('expect the more of a trial, the longer nobody has told its end, and little once the others have paid', () => {
    const trial = { trialDays: 7, payments: 0, chargedUsd: 0, realisedUsd: 0 };
    const many = (count: number, change: Partial<LedgerRow>) => Array.from({ length: count }, () => row({ ...trial, ...change })); // prettier-ignore
    const resolved = [
      ...many(4_000, { stage: 'paid', payments: 1, trialGone: 1 }),
      ...many(4_800, { stage: 'ended', trialGone: 0.1 }),
      ...many(1_200, { stage: 'ended', trialGone: 2 }),
    ];
    const tables = new LtvTables(resolved);
    const rates = [0, 0.1, 0.2, 1, 1.1, 2].map((gone) => tables.trialToPaid('gold', undefined, gone));
    expect(rates.map((rate) => rate.toFixed(2))).toEqual(['0.40', '0.40', '0.77', '0.77', '0.00', '0.00']);
    expect(rates[0]).toBe(tables.trialToPaid('gold'));
    // A product of which nothing is known yet is thought of as of others: some of its trials have been ended by then, too.
    const unknown = [0, 0.2, 2].map((gone) => tables.trialToPaid('silver', undefined, gone).toFixed(2));
    expect(unknown).toEqual(['0.42', '0.79', '0.00']);
    // So what ten began is worth the same on every day.
    const worth = (open: number, trialGone: number) => open * projectValue(row({ ...trial, stage: 'trial', trialGone, nextChargeUsd: 10 }), tables, 180); // prettier-ignore
    expect(worth(5.2, 0.2) / worth(10, 0)).toBeCloseTo(1, 2);
  });

  it('expect little of what should have been charged before, also while nobody has fallen silent for long', () => {
    const tables = new LtvTables([]);
    const trial = [0, 1, 1.5, 2].map((gone) => tables.trialToPaid('gold', undefined, gone));
    expect(trial.map((rate) => rate.toFixed(3))).toEqual(['0.425', '0.425', '0.069', '0.069']);
    const week = [0, 1, 1.5, 2].map((gone) => tables.renewal('gold', 'week', 1, undefined, gone));
    expect(week.map((rate) => rate.toFixed(3))).toEqual(['0.850', '0.850', '0.362', '0.362']);
    // So what ten began is worth no more once those who pay have done so.
    const open = { trialDays: 3, payments: 0, chargedUsd: 0, realisedUsd: 0, stage: 'trial' as const };
    const worth = (trialGone: number) => projectValue(row({ ...open, trialGone, nextChargeUsd: 10 }), tables, 180);
    const paid = projectValue(row({ trialDays: 3, trialGone: 1, nextChargeUsd: 10 }), tables, 180);
    expect((4.25 * paid + 5.75 * worth(1.5)) / (10 * worth(0))).toBeLessThan(1.12);
  });

  it('value a payment that has no rate as those that have one, and take it for none of these', () => {
    const unvalued = row({ stage: 'ended', unvalued: 1, charged: 0, chargedUsd: 0, realisedUsd: 0 });
    const alone = new LtvTables([unvalued]);
    expect([alone.chargeUsd('gold', 'de'), alone.chargeUsd('silver', 'fr')]).toEqual([10, 10]);
    const tables = new LtvTables([row({ chargedUsd: 20, realisedUsd: 20 }), unvalued]);
    expect(tables.chargeUsd('gold', 'de')).toBe(20);
    expect(projectValue(unvalued, tables, 180)).toBe(20);
    expect(projectValue({ ...unvalued, refunds: 1, unvaluedRefunds: 1 }, tables, 180)).toBe(0);
    // A week's third charge is behind a horizon of 14 days.
    const weeks = row({ plan: 'week', periodDays: 7, stage: 'ended', payments: 3, unvalued: 3, charged: 0, chargedUsd: 0, realisedUsd: 0 }); // prettier-ignore
    expect(projectValue(weeks, tables, 14)).toBe(2 * 20);
  });

  it('know of young charges how many of them are given back yet, by what became of others of their age', () => {
    // Of a thousand a fifth is given back: half of that by the third day, all by the twelfth.
    const sold = (count: number, change: Partial<LedgerRow>) => Array.from({ length: count }, () => row(change));
    const old = [
      ...sold(800, {}),
      ...sold(100, { refunds: 1, refundedAfter: [3.5] }),
      ...sold(100, { refunds: 1, refundedAfter: [12.5] }),
    ];
    const young = (days: number) => ({ refundable: [{ usd: 10, days }] });
    const tables = new LtvTables(old);
    const shares = [0, 3, 4, 12, 13, 40].map((days) => tables.refund('gold', days));
    expect(shares.map((share) => share.toFixed(2))).toEqual(['0.20', '0.20', '0.11', '0.11', '0.00', '0.00']);
    // Thousands of the last day say nothing of the days to come.
    expect(new LtvTables([...old, ...sold(5_000, young(1))]).refund('gold')).toBeCloseTo(shares[0]!, 2);
    // So a thousand that were charged are worth the same on every day.
    const worth = (kept: number, days: number) => kept * projectValue(row({ stage: 'ended', ...young(days) }), tables, 180); // prettier-ignore
    expect(worth(900, 5) / worth(1_000, 0)).toBeCloseTo(1, 2);
    expect(worth(800, 20) / worth(1_000, 0)).toBeCloseTo(1, 2);
    // Of another product less is known.
    expect(tables.refund('silver')).toBeLessThan(tables.refund('gold'));
    expect(tables.refundError('silver')).toBeGreaterThan(3 * tables.refundError('gold'));
    expect(tables.refundError('gold')).toBeLessThan(0.02);
  });

  it('think the further off what a side’s charges are refunded by, the more of these were, early ones too', () => {
    const sold = (count: number, change: Partial<LedgerRow>) => Array.from({ length: count }, () => row(change));
    const all = new LtvTables([...sold(950, {}), ...sold(50, { refunds: 1, refundedAfter: [5] })]);
    const errorOf = (refunded: number, days: number) => {
      const kept = sold(400 - refunded, { refundable: [{ usd: 10, days }] });
      return new SideRates([...kept, ...sold(refunded, { refunds: 1, refundedAfter: [2] })], all).refundError('gold');
    };
    expect(new SideRates([], all).refundError('gold')).toBeCloseTo(0.034, 3);
    expect(errorOf(20, 31)).toBeLessThan(0.012);
    expect(errorOf(80, 31)).toBeGreaterThan(0.09);
    expect(errorOf(40, 3)).toBeGreaterThan(errorOf(0, 3));
  });

  it('expect the more of a period, the longer nobody has told that it is the last', () => {
    const many = (count: number, change: Partial<LedgerRow>) => Array.from({ length: count }, () => row(change));
    const tables = new LtvTables([
      ...many(6_000, { payments: 2, periodGone: 0.4 }),
      ...many(3_000, { stage: 'ended', periodGone: 0.1 }),
      ...many(1_000, { stage: 'ended', periodGone: 1 }),
    ]);
    const rates = [0, 0.1, 0.2, 1].map((gone) => tables.renewal('gold', 'month', 1, undefined, gone));
    expect(rates.map((rate) => rate.toFixed(2))).toEqual(['0.60', '0.60', '0.86', '0.86']);
    expect(rates[0]).toBe(tables.renewal('gold', 'month', 1));
    // So what ten paid for is worth the same at any time.
    const worth = (open: number, periodGone: number) => open * (projectValue(row({ periodGone }), tables, 180) - 10);
    expect(worth(7, 0.2) / worth(10, 0)).toBeCloseTo(1, 2);
    const [whole, late] = [0, 0.2].map((periodGone) => slopesOf(row({ periodGone }), tables, 180).renewals);
    for (const step of [0, 1]) expect(late![step]! / whole![step]!).toBeCloseTo(rates[2]! / rates[0]!, 12);
  });

  it('draw a country’s charge to the product’s', () => {
    const tables = new LtvTables([
      row({ country: 'de', payments: 10, chargedUsd: 100 }),
      row({ country: 'ch', payments: 10, chargedUsd: 300 }),
      row({ product: 'silver', payments: 1, chargedUsd: 4 }),
    ]);
    expect(tables.chargeUsd('gold', 'ch')).toBeCloseTo((300 + 5 * 20) / 15, 12);
    expect(tables.chargeUsd('gold', 'fr')).toBe(20);
    expect(tables.chargeUsd('silver', 'fr')).toBe(4);
    expect(tables.chargeUsd('new', 'fr')).toBeCloseTo(404 / 21, 12);
  });
});

describe('the error of a rate', () => {
  it('is that of ten observations before there are any, whatever the prior weighs', () => {
    const tables = new LtvTables([]);
    for (const nth of [1, 2])
      expect(tables.renewalError('gold', 'week', nth)).toBeCloseTo(Math.sqrt((0.85 * 0.15) / 11), 12);
    expect(tables.trialError('gold')).toBeCloseTo(Math.sqrt((0.425 * 0.575) / 11), 12);
  });

  it('shrinks with what is seen, and holds how far the prior keeps the rate from it', () => {
    const lapsed = (count: number) => Array.from({ length: count }, () => row({ plan: 'week', stage: 'ended' }));
    const errors = [0, 10, 100, 10_000].map((count) => new LtvTables(lapsed(count)).renewalError('gold', 'week', 1));
    expect(errors[1]).toBeGreaterThan(errors[0] ?? NaN);
    expect(errors[3]).toBeLessThan(0.01);
    // Nobody of 100 renewed, and yet the rate is said to be still so far from 0.
    expect(errors[2]).toBeGreaterThan(0.75 * new LtvTables(lapsed(100)).renewal('gold', 'week', 1));
    // Nobody of them could be renewed twice: of that less is known.
    expect(new LtvTables(lapsed(10_000)).renewalError('gold', 'week', 2)).toBeGreaterThan(4 * errors[3]!);
  });
});

describe('later renewals', () => {
  const seen = (renewed: number, ended: number, twice = 0) =>
    new LtvTables([
      ...Array.from({ length: renewed - twice }, () => row({ payments: 2 })),
      ...Array.from({ length: twice }, () => row({ payments: 2, stage: 'ended' })),
      ...Array.from({ length: ended }, () => row({ stage: 'ended' })),
    ]);
  const rates = (tables: LtvTables) => [1, 2].map((nth) => tables.renewal('gold', 'month', nth)) as [number, number];

  it('follow the first one by half while none are seen, and the less the more of them are', () => {
    const tables = seen(1_000, 1_000);
    expect(tables.following.slope).toBeCloseTo(0.5, 12);
    const [[first, later], [moreFirst, moreLater]] = [rates(tables), rates(seen(1_001, 999))];
    expect(tables.renewalFollowed('gold', 'month', 1)).toBeCloseTo((moreLater - later) / (moreFirst - first), 3);
    expect(seen(1_000, 1_000, 120).renewalFollowed('gold', 'month', 1)).toBeLessThan(
      0.6 * tables.renewalFollowed('gold', 'month', 1),
    );
    for (const nth of [1, 2]) expect(new LtvTables([]).renewalFollowed('gold', 'month', nth)).toBeCloseTo(1 - nth / 2, 12); // prettier-ignore
    const ofSide = new SideRates([], new LtvTables([]));
    for (const nth of [1, 2]) expect(ofSide.renewalFollowed('gold', 'month', nth)).toBeCloseTo(1 - nth / 2, 12);
  });

  it('of a plan that nobody was renewed twice of follow the first as they do with other plans', () => {
    const sold = (plan: string, count: number, payments: number, stage: 'paid' | 'ended' = 'ended') =>
      Array.from({ length: count }, () => row({ product: `${plan}ly`, plan, payments, stage }));
    /** Of 1,000 months some were renewed, and of as many weeks some, and some of these again. */
    const laterOfMonth = (renewed: number, again: number) =>
      new LtvTables([
        ...[...sold('month', 600, 2, 'paid'), ...sold('month', 400, 1)],
        ...[
          ...sold('week', 1_000 - renewed, 1),
          ...sold('week', renewed - again, 2),
          ...sold('week', again, 3, 'paid'),
        ],
      ]).renewal('monthly', 'month', 2);
    const odds = (rate: number) => rate / (1 - rate);
    const slope = (rate: number) => Math.log(odds(rate) / odds(0.775)) / Math.log(odds(0.6) / odds(0.775));
    // As published, of each hundred 44 and 71.
    expect(slope(laterOfMonth(440, 312))).toBeLessThan(0.42);
    // Each time as many.
    expect(slope(laterOfMonth(600, 360))).toBeGreaterThan(0.65);
  });
});

describe('the error of a side’s own rates', () => {
  const trials = (paid: number, lost: number, change: Partial<LedgerRow> = {}) =>
    Array.from({ length: paid + lost }, (_, index) => row({ trialDays: 7, stage: 'ended', payments: index < paid ? 1 : 0, ...change })); // prettier-ignore
  const all = new LtvTables([...trials(500, 500), ...trials(500, 500, { payments: 2 })]);
  const paidFor = all.trialToPaid('gold');

  it('is that of a hundred trials and three hundred renewals of each kind before there are any', () => {
    const none = new SideRates([], all);
    expect(none.trialError('gold')).toBeCloseTo(Math.sqrt((paidFor * (1 - paidFor)) / 101), 12);
    for (const nth of [1, 2]) {
      const renewed = all.renewal('gold', 'month', nth);
      expect(none.renewalError('gold', 'month', nth)).toBeCloseTo(Math.sqrt((renewed * (1 - renewed)) / 301), 12);
    }
  });

  it('shrinks as they are resolved, and holds how far they are off the product’s', () => {
    const errorOf = (paid: number, lost: number) => new SideRates(trials(paid, lost), all).trialError('gold');
    const share = Math.round(1_000 * paidFor);
    expect(errorOf(share, 1_000 - share)).toBeCloseTo(Math.sqrt((paidFor * (1 - paidFor)) / 1_101), 5);
    const [paid, lost] = [300, 700];
    const believed = (paid + 100 * paidFor) / 1_100;
    expect(errorOf(paid, lost)).toBeCloseTo(Math.hypot(Math.sqrt((believed * (1 - believed)) / 1_101), believed - paidFor), 12); // prettier-ignore
    const young = trials(0, 1_000, { isTrialYoung: true });
    expect(new SideRates(young, all).trialError('gold')).toBe(new SideRates([], all).trialError('gold'));
  });

  it('is one of that side’s labels alone, and of none that hangs on no rate', () => {
    const errorsOf = (sold: LedgerRow) => rateErrorsOf(all, sold);
    const trial = row({ stage: 'trial', trialDays: 7, payments: 0, realisedUsd: 0 });
    const usd = new Map(errorsOf(trial).map((error) => [error.rate, error.usd]));
    const rates = ['first-renewal/month/gold', 'later-renewal/month/gold', 'refund/gold', 'trial/gold'];
    expect([...usd.keys()].sort()).toEqual([...rates, ...rates.map((rate) => `ai/${rate}`)].sort());
    const slopes = slopesOf(trial, all, 180);
    expect(usd.get('ai/trial/gold')).toBeCloseTo(slopes.trial * new SideRates([], all).trialError('gold'), 12);
    const paid = ['first-renewal/month/gold', 'later-renewal/month/gold', 'refund/gold'];
    expect(errorsOf(row()).map(({ rate }) => rate)).toEqual([...paid, ...paid.map((rate) => `ai/${rate}`)]);
    // What the first renewal may be off by moves later ones, as far as these were not seen.
    const twice = row({ payments: 2 });
    const later = slopesOf(twice, all, 180).renewals[1]!;
    const [first] = errorsOf(twice);
    expect(first!.usd).toBeCloseTo(later * all.renewalFollowed('gold', 'month', 1) * all.renewalError('gold', 'month', 1), 12); // prettier-ignore
    expect(errorsOf(row({ stage: 'ended' }))).toEqual([]);
  });
});

describe('the projection', () => {
  const tables = new LtvTables([]);

  it('expects more of people who were seen to go on', () => {
    const [sleep, focus, run] = [1, 2, 3];
    const context = (goal: number) => Int32Array.of(0, goal);
    const of = (goal: number, payments: number) => Array.from({ length: 40 }, (_, index) => row({ id: `${goal} ${index}`, active: context(goal), stage: 'ended', payments, chargedUsd: 10 * payments })); // prettier-ignore
    const seen = new LtvTables([...of(sleep, 4), ...of(focus, 1)]);
    const expected = (goal: number) =>
      projectValue(row({ active: context(goal), payments: 0, realisedUsd: 0 }), seen, 180);
    expect(expected(sleep)).toBeGreaterThan(1.1 * expected(run));
    expect(expected(run)).toBeGreaterThan(1.1 * expected(focus));
    const tried = (goal: number, paid: boolean) => Array.from({ length: 40 }, (_, index) => row({ id: `${goal} ${index}`, active: context(goal), trialDays: 7, stage: paid ? 'paid' : 'ended', payments: paid ? 1 : 0 })); // prettier-ignore
    const trials = new LtvTables([...tried(sleep, true), ...tried(focus, false)]);
    expect(trials.trialToPaid('gold', context(sleep))).toBeGreaterThan(trials.trialToPaid('gold') + 0.1);
    expect(trials.trialToPaid('gold', context(focus))).toBeLessThan(trials.trialToPaid('gold') - 0.1);
  });

  it('has the slopes of its numbers', () => {
    const rates = [0.5, 0.8];
    const moving = (move: Partial<Record<'first' | 'later' | 'trial', number>>) => {
      const { first = 0, later = 0, trial = 0 } = move;
      const trialToPaid = () => 0.425 + trial;
      const renewal = (_product: string, _plan: string, nth: number) =>
        nth === 1 ? rates[0]! + first : rates[1]! + later;
      return Object.assign(new LtvTables([]), { trialToPaid, renewal });
    };
    const slope = (sold: LedgerRow, rate: 'first' | 'later' | 'trial') => {
      const moved = (by: number) => projectValue(sold, moving({ [rate]: by }), 180);
      return (moved(1e-6) - moved(-1e-6)) / 2e-6;
    };
    const trial = row({ stage: 'trial', trialDays: 7, payments: 0, realisedUsd: 0 });
    const one = [
      trial,
      row(),
      row({ payments: 2 }),
      row({ payments: 5 }),
      row({ payments: 0, realisedUsd: 0 }),
      row({ stage: 'ended' }),
      row({ plan: 'one-time' }),
    ];
    for (const sold of one) {
      const { renewals, trial: ofTrial } = slopesOf(sold, moving({}), 180);
      expect(renewals[0]).toBeCloseTo(slope(sold, 'first'), 5);
      expect(renewals[1]).toBeCloseTo(slope(sold, 'later'), 5);
      expect(ofTrial).toBeCloseTo(slope(sold, 'trial'), 5);
    }
    expect(rateErrorsOf(tables, row({ plan: 'one-time' }))).toEqual([]);
    // The more is given back, the less there is.
    const refund = tables.refund('gold');
    const dearer = Object.assign(new LtvTables([]), { refund: (product: string, days?: number) => 1.001 * tables.refund(product, days) }); // prettier-ignore
    for (const sold of [
      ...one,
      row({
        refundable: [
          { usd: 10, days: 3 },
          { usd: 8, days: 12 },
        ],
      }),
    ]) {
      // prettier-ignore
      const fallen = (projectValue(sold, tables, 180) - projectValue(sold, dearer, 180)) / (0.001 * refund);
      expect(slopesOf(sold, tables, 180).refund).toBeCloseTo(fallen, 6);
    }
  });

  it('counts the charges that the horizon has room for', () => {
    expect(chargesWithin(row(), 180)).toBe(6);
    expect(chargesWithin(row({ periodDays: 20 }), 181)).toBe(10);
    expect([0, 1].map((periodDays) => chargesWithin(row({ plan: 'other', periodDays }), 180))).toEqual([180, 180]);
    expect(chargesWithin(row(), 30)).toBe(1);
    expect(chargesWithin(row({ periodDays: 365 }), 365)).toBe(1);
    expect(chargesWithin(row({ periodDays: 365, trialDays: 7 }), 372)).toBe(1);
    expect(chargesWithin(row({ plan: 'one-time', trialDays: 0 }), 0)).toBe(0);
    expect(chargesWithin(row({ trialDays: 7, periodDays: 7 }), 180)).toBe(25);
    expect(chargesWithin(row({ periodDays: 365 }), 180)).toBe(1);
    expect(chargesWithin(row({ plan: 'one-time', periodDays: 1 }), 180)).toBe(1);
    expect(chargesWithin(row({ trialDays: 30 }), 14)).toBe(0);
  });

  it.each([
    ['month', 1, 12, 6],
    ['quarter', 3, 4, 2],
    ['half-year', 6, 2, 1],
    ['year', 12, 1, 1],
  ])('counts the charges of a %s by what it lasts on average, whenever it begins', (_, months, ofYear, ofHalf) => {
    const counted = Array.from({ length: 4 * 365 + 1 }, (_, day) => {
      const begin = new Date(Date.UTC(2025, 0, 1 + day));
      const end = new Date(begin);
      end.setUTCMonth(begin.getUTCMonth() + months);
      if (end.getUTCDate() !== begin.getUTCDate()) end.setUTCDate(0);
      const sold = row({ plan: months < 12 ? 'month' : 'year', periodDays: (end.getTime() - begin.getTime()) / 86_400_000 }); // prettier-ignore
      return [365, 180, sold.periodDays, sold.periodDays + 1].map((days) => chargesWithin(sold, days));
    });
    // The second charge is due when the first period ends.
    expect(new Set(counted.map(String))).toEqual(new Set([`${ofYear},${ofHalf},1,2`]));
  });

  it('is what the formulas say at every stage', () => {
    const r = 0.775;
    const geometric = (from: number, to: number) => {
      let sum = 0;
      for (let power = from; power <= to; power++) sum += r ** power;
      return sum;
    };
    const trial = row({ stage: 'trial', trialDays: 30, payments: 0, realisedUsd: 0, nextChargeUsd: 8 });
    expect(projectValue(trial, tables, 180)).toBeCloseTo(0.425 * 0.95 * 8 * geometric(0, 4), 12);
    const uncharged = row({ payments: 0, realisedUsd: 0, nextChargeUsd: 8 });
    expect(projectValue(uncharged, tables, 180)).toBeCloseTo(0.95 * 8 * geometric(0, 5), 12);
    const paid = row({ payments: 2, realisedUsd: 16, nextChargeUsd: 8 });
    expect(projectValue(paid, tables, 180)).toBeCloseTo(16 + 0.95 * 8 * geometric(1, 4), 12);
    expect(projectValue({ ...paid, payments: 9 }, tables, 180)).toBe(16);
    expect(projectValue({ ...paid, stage: 'ended' }, tables, 180)).toBe(16);
    expect(projectValue({ ...paid, stage: 'ended', realisedUsd: -3 }, tables, 180)).toBe(0);
    expect(projectValue({ ...paid, plan: 'one-time' }, tables, 180)).toBe(16);
    // First f · (1 + l + l² + …), and by later ones alone of who has renewed already.
    const [f, l] = [0.5, 0.8];
    const apart = Object.assign(new LtvTables([]), { renewal: (_product: string, _plan: string, nth: number) => (nth === 1 ? f : l) }); // prettier-ignore
    const rest = 1 + l + l ** 2 + l ** 3;
    expect(projectValue(uncharged, apart, 180)).toBeCloseTo(0.95 * 8 * (1 + f * (rest + l ** 4)), 12);
    expect(projectValue(trial, apart, 180)).toBeCloseTo(0.425 * 0.95 * 8 * (1 + f * rest), 12);
    expect(projectValue(paid, apart, 180)).toBeCloseTo(16 + 0.95 * 8 * l * rest, 12);
  });
});

describe('labels', () => {
  it('are the same for any order of arrival', () => {
    const labelsOf = (list: readonly RowOfChain[]) => labelStarts(list, 180, 's').map((one) => [one.row.id, one.label]);
    fc.assert(
      fc.property(rows, fc.nat(), (list, turn) => {
        const at = list.length === 0 ? 0 : turn % list.length;
        const turned = [...list.slice(at), ...list.slice(0, at)].reverse();
        expect(labelsOf(turned)).toEqual(labelsOf(list));
      }),
    );
  });

  it('are half what a start did and half what starts of its product bring', () => {
    const paid = row({ id: 'paid', stage: 'ended', payments: 3, chargedUsd: 24, realisedUsd: 24 });
    const lost = row({ id: 'lost', stage: 'ended', payments: 1, chargedUsd: 8, realisedUsd: 8 });
    const labels = new Map(labelStarts([paid, lost], 180, 's').map((one) => [one.row.id, one.label]));
    const began = {
      ...lost,
      stage: lost.trialDays > 0 ? ('trial' as const) : ('paid' as const),
      payments: 0,
      realisedUsd: 0,
    };
    const pooled = projectValue(began, new LtvTables([paid, lost]), 180);
    const ofProduct = 1 + (16 / pooled - 1) * (2 / 102);
    const drawn = ofProduct + (16 / pooled - ofProduct) * (2 / 102);
    expect(labels.get('paid')).toBeCloseTo((24 + drawn * pooled) / 2, 9);
    expect(labels.get('lost')).toBeCloseTo((8 + drawn * pooled) / 2, 9);
    expect(labelRows([paid, lost], 180).labels).toEqual([24, 8]);
  });

  it('keep what a variant’s starts bring apart from what others of the product do, the more of them there are', () => {
    const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    const ratioOf = (starts: number) => {
      const sold = Array.from({ length: starts }, (_, index) => {
        const payments = index % 4 === 0 ? 0 : 1;
        const usd = 8 * payments;
        const rich = { stage: 'ended' as const, payments, chargedUsd: usd, realisedUsd: usd };
        return [row({ id: `a${index}`, arm: 0, ...rich }), row({ id: `b${index}`, arm: 1, ...rich, realisedUsd: usd / 2 })]; // prettier-ignore
      }).flat();
      const labels = labelRows(sold, 180).toLearn;
      const of = (arm: number) => mean(labels.filter((_, index) => sold[index]!.arm === arm));
      return of(0) / of(1);
    };
    expect(ratioOf(10_000)).toBeCloseTo(2, 1);
    expect(ratioOf(10)).toBeLessThan(1.8);
  });

  it('do not set a variant of few starts apart where all of its product bring less than was expected', () => {
    // A first month at 1 USD and then 10, while 10 is expected of each: on both variants half go on for a second month.
    const sold = (arm: number, starts: number) =>
      Array.from({ length: starts }, (_, index) => {
        const payments = 1 + (index % 2);
        const usd = 1 + 10 * (index % 2);
        const paid = { payments, chargedUsd: usd, realisedUsd: usd, nextChargeUsd: 10 };
        return row({ id: `${arm} ${index}`, arm, stage: 'ended', ...paid });
      });
    const all = [...sold(0, 2_000), ...sold(1, 10)];
    const labels = labelRows(all, 180).toLearn;
    const meanOf = (arm: number) => {
      const ofArm = labels.filter((_, index) => all[index]!.arm === arm);
      return ofArm.reduce((sum, one) => sum + one, 0) / ofArm.length;
    };
    expect(Math.abs(meanOf(1) / meanOf(0) - 1)).toBeLessThan(0.05);
  });

  it('are drawn to what was expected of a product whose starts are few', () => {
    const lost = row({ stage: 'ended', payments: 0, chargedUsd: 0, realisedUsd: 0, nextChargeUsd: 10 });
    const [label = 0] = labelRows([lost], 180).toLearn;
    const began = { ...lost, stage: 'paid' as const };
    expect(label).toBeGreaterThan(0.45 * projectValue(began, new LtvTables([lost]), 180));
  });

  it('ask but once a row how often its product is refunded, as it is, as it began and for slopes', () => {
    const list = Array.from({ length: 50 }, (_, index) => row({ id: `${index}` }));
    const tables = new LtvTables(list);
    const refund = tables.refund.bind(tables);
    let asked = 0;
    tables.refund = (product) => {
      asked++;
      return refund(product);
    };
    labelRows(list, 180, tables);
    expect(asked).toBe(list.length);
  });

  it('cap extras and keep their sum', () => {
    const list = Array.from({ length: 1_000 }, (_, index) => {
      return row({ id: `${index}`, stage: 'ended', realisedUsd: 0, extrasUsd: index < 20 ? 10 ** (index / 4) : 0 });
    });
    const labels = labelStarts(list, 180, 's').map(({ label }) => label);
    const plain = labelStarts(list.map((one) => ({ ...one, extrasUsd: 0 })), 180, 's').map(({ label }) => label); // prettier-ignore
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    expect(sum(labels) - sum(plain)).toBeCloseTo(sum(list.map(({ extrasUsd }) => extrasUsd)), 4);
    expect(Math.max(...labels) - Math.min(...labels)).toBeCloseTo(10 ** (14 / 4), 6);
    expect(quantileOf([])).toBe(0);
  });

  it('are never negative and never NaN', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 730 }), (list, horizon) => {
        expect(labelStarts(list, horizon, 's').every(({ label }) => label >= 0 && label < Infinity)).toBe(true);
      }),
    );
  });
});

describe('calibration', () => {
  it('finds the line that made the money, and promises in all what came', () => {
    const promised = Array.from({ length: 60 }, (_, bin) => {
      const logValue = -3 + bin / 20;
      const noise = 0.9 + 0.2 * uniform(`${bin}`, 'noise');
      return { logValue, exposures: 500, totalUsd: 500 * Math.exp(0.3 + 0.7 * logValue) * noise };
    });
    const map = calibrate(promised);
    expect(map.alpha).toBeCloseTo(0.3, 1);
    expect(map.beta).toBeCloseTo(0.7, 1);
    const promisedUsd = promised.reduce(
      (sum, { logValue, exposures }) => sum + exposures * calibrated(map, Math.exp(logValue)),
      0,
    );
    expect(promisedUsd).toBeCloseTo(
      promised.reduce((sum, { totalUsd }) => sum + totalUsd, 0),
      4,
    );
  });

  it('is the identity of nothing, and only a factor where all were promised the same', () => {
    expect(calibrate([])).toEqual({ alpha: 0, beta: 1 });
    expect(calibrate([{ logValue: 1, exposures: 10, totalUsd: 0 }])).toEqual({ alpha: 0, beta: 1 });
    const same = calibrate([{ logValue: 1, exposures: 10, totalUsd: 100 }]);
    expect(same.beta).toBeCloseTo(1, 10);
    expect(calibrated(same, Math.E)).toBeCloseTo(10, 10);
    expect(calibrated(same, 0)).toBe(0);
  });

  it('stays a number for absurd promises', () => {
    const promise = fc.record({
      logValue: fc.double({ min: -30, max: 30, noNaN: true }),
      exposures: fc.integer({ min: 1, max: 1e6 }),
      totalUsd: fc.double({ min: 0, max: 1e9, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(promise), (promised) => {
        const { alpha, beta } = calibrate(promised);
        expect([alpha, beta].every(Number.isFinite)).toBe(true);
      }),
    );
  });
});
