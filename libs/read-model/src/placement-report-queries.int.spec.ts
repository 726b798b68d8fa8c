import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { Pool } from 'pg';
import { PlacementReportQueries, ReportTooLong } from './placement-report-queries.ts';
import { selectPlacementReport } from './sql/select-placement-report.sql.ts';
import {
  insertBought,
  insertBoughtAgain,
  insertDecision,
  insertShown,
  insertSuperseded,
  type DecidedRow,
} from './testing/report-rows.ts';

let database: TestDatabase;
let reports: PlacementReportQueries;
beforeAll(async () => {
  database = await testDatabase('read-model');
  reports = new PlacementReportQueries(database.pool);
});
beforeEach(() => database.empty());
afterAll(async () => await database[Symbol.asyncDispose]());

const day = 86_400_000;
const from = Date.UTC(2026, 0, 1);
const period = { appId: 1, placementId: 'onboarding', from, to: from + 30 * day };
const report = () => reports.ofPlacement(period);

/** Decides, shows it for the first time, and sells something for each sum of USD: to one profile. */
async function earned(name: string, decision: Omit<DecidedRow, 'name'> = {}, ...usd: readonly string[]) {
  await insertDecision(database.pool, { name, time: from + day, ...decision });
  await insertShown(database.pool, { name, ...decision });
  for (const [index, sum] of usd.entries())
    await insertBought(database.pool, { name, chain: `${name}/${index}`, usd: [sum] });
}

describe('the report of a placement', () => {
  it('tells of targets, and of their paywalls', async () => {
    await earned('a', { target: 'ai_model', paywallId: 12 }, '9.99');
    await earned('b', { target: 'ai_model', paywallId: 13, externalId: 'bold' });
    await earned('c', { target: 'ai_model', paywallId: 12 });
    await earned('d', { target: 'baseline', paywallId: 12 }, '0.1', '0.2');
    const figures = (await report()).map(
      ({ spread, draws, usdPerDraw, drawSpread, comparison, unvaluedCurrencies, ...row }) => {
        expect([draws, usdPerDraw, drawSpread, comparison, unvaluedCurrencies]).toEqual([
          row.requests,
          row.usdPerImpression,
          spread,
          null,
          [],
        ]);
        return { ...row, payers: spread.payers };
      },
    );
    const calm = { paywallId: 12, externalId: 'calm_v1' };
    const whole = { paywallId: null, externalId: null };
    expect(figures).toEqual([
      { target: 'ai_model', ...whole, requests: 3, uniqueImpressions: 3, conversions: 1, revenueUsd: '9.99', usdPerImpression: '3.330000', payers: 1 }, // prettier-ignore
      { target: 'ai_model', ...calm, requests: 2, uniqueImpressions: 2, conversions: 1, revenueUsd: '9.99', usdPerImpression: '4.995000', payers: 1 }, // prettier-ignore
      { target: 'ai_model', paywallId: 13, externalId: 'bold', requests: 1, uniqueImpressions: 1, conversions: 0, revenueUsd: '0', usdPerImpression: '0.000000', payers: 0 }, // prettier-ignore
      { target: 'baseline', ...whole, requests: 1, uniqueImpressions: 1, conversions: 2, revenueUsd: '0.3', usdPerImpression: '0.300000', payers: 1 }, // prettier-ignore
      { target: 'baseline', ...calm, requests: 1, uniqueImpressions: 1, conversions: 2, revenueUsd: '0.3', usdPerImpression: '0.300000', payers: 1 }, // prettier-ignore
    ]);
  });

  it('has no money of before a chain lapsed, where it was bought again by a decision', async () => {
    await insertDecision(database.pool, { name: 'a', time: from + day, target: 'ai_model' });
    await insertDecision(database.pool, { name: 'b', time: from + day, target: 'baseline', profile: 'b' });
    await insertBought(database.pool, { name: 'a', chain: 'a', usd: ['40', null, '9.99'], before: 2 });
    const [ai] = await report();
    expect(ai).toMatchObject({ conversions: 1, revenueUsd: '9.99', unvaluedCurrencies: [] });
  });

  it('has what was bought again with the decision that it came of', async () => {
    await earned('a', { target: 'ai_model', profile: 'one' }, '10');
    await insertDecision(database.pool, { name: 'b', time: from + 9 * day, target: 'baseline', profile: 'one' });
    await insertBoughtAgain(database.pool, { name: 'b', chain: 'a/0', usd: '5' });
    const whole = (await report()).filter(({ paywallId }) => paywallId === null);
    expect(whole).toMatchObject([
      { target: 'ai_model', conversions: 1, revenueUsd: '10' },
      { target: 'baseline', conversions: 1, revenueUsd: '5' },
    ]);
  });

  it('tells of each day, of UTC, what its decisions led to until now', async () => {
    await earned('a', { target: 'ai_model', time: from + day - 1 }, '10', '2.5');
    await earned('b', { target: 'ai_model', time: from + day }, '4');
    await earned('c', { target: 'baseline', time: from + day });
    const all = { draws: 1, uniqueImpressions: 1, requests: 1 };
    const [first, second] = ['2026-01-01', '2026-01-02'];
    const told = (await reports.daysOfPlacement(period)).flatMap(({ day, targets }) =>
      targets.map((row) => ({ day, ...row })),
    );
    expect(told).toEqual([
      { day: first, target: 'ai_model', ...all, conversions: 2, drawConversions: 2, revenueUsd: '12.5', drawRevenueUsd: '12.5' }, // prettier-ignore
      { day: second, target: 'ai_model', ...all, conversions: 1, drawConversions: 1, revenueUsd: '4', drawRevenueUsd: '4' }, // prettier-ignore
      { day: second, target: 'baseline', ...all, conversions: 0, drawConversions: 0, revenueUsd: '0', drawRevenueUsd: '0' }, // prettier-ignore
    ]);
    const sums = (await report()).filter(({ paywallId }) => paywallId === null);
    expect(sums.map((row) => [row.requests, row.conversions, row.revenueUsd])).toEqual([
      [2, 3, '16.5'],
      [1, 0, '0'],
    ]);
  });

  it('names a paywall as it was called last', async () => {
    await earned('a', { externalId: 'calm_v9', time: from });
    await earned('b', { externalId: 'calm_v10', time: from + 2 * day });
    await earned('c', { externalId: 'calm_v9', time: from + day });
    expect((await report()).map(({ externalId }) => externalId)).toEqual([null, 'calm_v10']);
  });

  it('tells how profiles spread: a profile’s purchases and paywalls together', async () => {
    await earned('a', { profile: 'one', paywallId: 12 }, '10', '-4');
    await earned('b', { profile: 'one', paywallId: 13 }, '6');
    await earned('c', { profile: 'two', paywallId: 12 });
    const [whole] = await report();
    // One has 2 impressions and 12 USD, two has 1 and nothing: 4 an impression, surpluses of 4 and -4.
    expect(whole).toMatchObject({ usdPerImpression: '4.000000', uniqueImpressions: 3, revenueUsd: '12' });
    expect(whole?.spread).toEqual({ profiles: 2, payers: 1, squaredSurplus: 32, cubedSurplus: 0 });
  });

  it('has a first showing without a token with the newest decision for it of the day before', async () => {
    const hour = 3_600_000;
    const at = from + 2 * day;
    const decided = (name: string, more: Partial<DecidedRow>) =>
      insertDecision(database.pool, { name, profile: 'one', target: 'ai_model', ...more });
    const shown = (row: Partial<DecidedRow>) =>
      insertShown(database.pool, { name: 'any', profile: 'one', time: at, ...row }, { hasToken: false });
    await decided('older', { time: at - 2 * hour, target: 'baseline' });
    await decided('newest', { time: at - hour });
    await decided('elsewhere', { time: at - 1, placementId: 'settings', target: 'baseline' });
    await decided('later', { time: at + 1, target: 'baseline' });
    await shown({});
    await decided('forgotten', { time: at - 25 * hour, paywallId: 13 });
    await shown({ paywallId: 13 });
    await decided('not here', { time: at - hour, paywallId: 14 });
    await shown({ paywallId: 14, placementId: 'settings' });

    const counted = (await report()).filter(({ paywallId }) => paywallId !== null);
    expect(counted.map(({ target, paywallId, uniqueImpressions }) => [target, paywallId, uniqueImpressions])).toEqual([
      ['ai_model', 12, 1],
      ['ai_model', 13, 0],
      ['ai_model', 14, 0],
      ['baseline', 12, 0],
    ]);
  });

  it('has no payer who got everything back: to the spread it is as one who never paid', async () => {
    await earned('kept', {}, '10', '-4');
    await earned('returned', {}, '10', '-10');
    expect((await report())[0]).toMatchObject({ conversions: 4, spread: { profiles: 2, payers: 1 } });
  });

  it('finds targets alike that earn alike, however often people ask and whichever is drawn more often', async () => {
    for (let profile = 0; profile < 5; profile++)
      for (let request = 0; request < 10; request++) {
        const [name, target] = [`${profile}/${request}`, request < 8 ? ('ai_model' as const) : ('baseline' as const)];
        const decision = { profile: `${profile}`, target, paywallId: request < 8 ? 13 : 12 };
        await insertDecision(database.pool, { name, time: from + day, ...decision });
        if (request === 0 || request === 8) await insertShown(database.pool, { name, ...decision });
        if (request % 2 === 0) await insertBought(database.pool, { name, chain: name, usd: ['1'] });
      }
    const targets = (await report()).filter(({ paywallId }) => paywallId === null);
    // An impression counts once a profile, and money each time: per impression the greater share looks better.
    expect(targets).toMatchObject([
      { target: 'ai_model', usdPerImpression: '4.000000', draws: 40, usdPerDraw: '0.500000' },
      { target: 'baseline', usdPerImpression: '1.000000', draws: 10, usdPerDraw: '0.500000' },
    ]);
    expect(targets[0]?.drawSpread).toEqual({ profiles: 5, payers: 5, squaredSurplus: 0, cubedSurplus: 0 });
  });

  it('has no draw of what got Baseline undrawn, nor its money', async () => {
    await earned('drawn', {}, '1');
    await insertDecision(database.pool, { name: 'unseen', time: from });
    await earned('undrawn', { weight: null }, '9');
    expect((await report())[0]).toMatchObject({
      ...{ requests: 3, uniqueImpressions: 2, revenueUsd: '10', usdPerImpression: '5.000000' },
      ...{ draws: 2, usdPerDraw: '0.500000' },
      drawSpread: { profiles: 2, payers: 1, squaredSurplus: 0.5, cubedSurplus: 0 },
    });
    await database.pool.query('truncate profile_event, decision');
    await insertDecision(database.pool, { name: 'undrawn', time: from, weight: null });
    expect((await report())[0]).toMatchObject({ draws: 0, usdPerDraw: null, drawSpread: { profiles: 0, payers: 0 } });
  });

  it('adds up what no floating point number holds', async () => {
    await earned('a', {}, '0.1', '0.2', '123456789012.000000000001');
    expect((await report())[0]).toMatchObject({ revenueUsd: '123456789012.300000000001' });
  });

  it('counts money of production alone, with a rate; and no family access as a conversion', async () => {
    await earned('a');
    await insertBought(database.pool, { name: 'a', chain: 'sandbox', usd: ['5'], environment: 'sandbox' });
    await insertBought(database.pool, { name: 'a', chain: 'trial', usd: [] });
    await insertBought(database.pool, { name: 'a', chain: 'unvalued', usd: [null] });
    await insertBought(database.pool, { name: 'a', chain: 'family', usd: [], isFamilyShared: true });
    expect((await report())[0]).toMatchObject({ conversions: 2, revenueUsd: '0', spread: { payers: 0 } });
  });

  it('names the currencies of what has no rate', async () => {
    await earned('a', { target: 'ai_model', paywallId: 12 }, '1');
    await earned('b', { target: 'ai_model', paywallId: 13 });
    for (const [name, currency] of [
      ['a', 'TWD'],
      ['b', 'TWD'],
      ['b', 'SAR'],
    ] as const)
      // prettier-ignore
      await insertBought(database.pool, { name, chain: `${name} ${currency}`, usd: [null], currency });
    const sandbox = { usd: [null], currency: 'VND', environment: 'sandbox' } as const;
    await insertBought(database.pool, { name: 'b', chain: 'sandbox', ...sandbox });
    const named = (await report()).map(({ paywallId, unvaluedCurrencies }) => [paywallId, ...unvaluedCurrencies]);
    expect(named).toEqual([[null, 'SAR', 'TWD'], [12, 'TWD'], [13, 'SAR', 'TWD']]); // prettier-ignore
  });

  it('leaves out other apps, placements and times, and what was superseded', async () => {
    await earned('a', { time: from });
    await earned('app', { appId: 2 }, '1');
    await earned('placement', { placementId: 'settings', path: 'onboarding' }, '1');
    await earned('before', { time: from - 1 }, '1');
    await earned('after', { time: period.to }, '1');
    await earned('superseded', {}, '1');
    await insertSuperseded(database.pool, 'superseded');
    expect(await report()).toMatchObject([
      { paywallId: null, requests: 1, uniqueImpressions: 1, revenueUsd: '0' },
      { paywallId: 12 },
    ]);
  });

  it('tells of one of the models that the placement had, with what it got Baseline for undrawn', async () => {
    const [former, present] = [{ model: 3 }, { model: 4 }];
    await earned('former ai', { ...former, target: 'ai_model' }, '5');
    await earned('former fallback', { ...former, weight: null });
    await earned('ai', { ...present, target: 'ai_model', weighing: { aiWeight: 9, baselineWeight: 1 } }, '1');
    await earned('baseline', { ...present, weighing: { aiWeight: 9, baselineWeight: 1 } }, '2');
    await earned('none', { weight: null }, '7');
    const told = async (model?: number) =>
      (await reports.ofPlacement({ ...period, ...(model !== undefined && { model }) }))
        .filter(({ paywallId }) => paywallId === null)
        .map(({ target, requests, draws, revenueUsd, comparison }) => [target, requests, draws, revenueUsd, comparison?.usdPerDraw]); // prettier-ignore
    expect(await told(3)).toEqual([['ai_model', 1, 1, '5', undefined], ['baseline', 1, 0, '0', undefined]]); // prettier-ignore
    expect(await told(4)).toEqual([['ai_model', 1, 1, '1', '-1.000000'], ['baseline', 1, 1, '2', undefined]]); // prettier-ignore
    expect(await told(5)).toEqual([]);
    expect(await told()).toEqual([['ai_model', 2, 2, '6', '-1.000000'], ['baseline', 3, 1, '9', undefined]]); // prettier-ignore
  });

  it('has impressions with the decision that was the first to show a paywall, and money with the one that sold it', async () => {
    await insertDecision(database.pool, { name: 'first', profile: 'one', time: from });
    await insertDecision(database.pool, { name: 'second', profile: 'one', time: from + day, target: 'ai_model' });
    await insertShown(database.pool, { name: 'first', profile: 'one' });
    await insertBought(database.pool, { name: 'second', chain: 'c', usd: ['3'] });
    const targets = (await report()).filter(({ paywallId }) => paywallId === null);
    expect(targets).toMatchObject([
      { target: 'ai_model', uniqueImpressions: 0, revenueUsd: '3', usdPerImpression: null },
      { target: 'baseline', uniqueImpressions: 1, revenueUsd: '0', usdPerImpression: '0.000000' },
    ]);
  });

  it('has no impression of somebody else with the same decision', async () => {
    await insertDecision(database.pool, { name: 'a', profile: 'one', time: from });
    await insertShown(database.pool, { name: 'a', profile: 'two' });
    expect((await report())[0]).toMatchObject({ requests: 1, uniqueImpressions: 0 });
  });

  it('is empty where nothing was served', async () => expect(await report()).toEqual([]));

  it('says so where it reads more than its connection has time for', async () => {
    const hurried = `-c search_path=${database.schema} -c statement_timeout=50`;
    const pool = new Pool({ connectionString: database.url, options: hurried });
    const asked = new PlacementReportQueries(pool);
    const writer = await database.pool.connect();
    await writer.query('begin; lock table ledger_entry in access exclusive mode');
    try {
      await expect(asked.ofPlacement(period)).rejects.toThrow(ReportTooLong);
      await expect(asked.daysOfPlacement(period)).rejects.toThrow(ReportTooLong);
    } finally {
      await writer.query('rollback');
      writer.release();
    }
    await pool.end();
  });

  it('reads nothing of other times and placements', async () => {
    await database.pool.query(
      `insert into decision (profile_id, decision_id, time, version, app_id, placement_id, target, paywall_id, external_id,
         is_drawn, is_kept)
       select gen_random_uuid(), gen_random_uuid(), $1::timestamptz + make_interval(mins => n), 1, 1,
         case when n % 2 = 0 then 'onboarding' else 'settings' end, 'baseline', 12, 'calm_v1', true, false
       from generate_series(1, 20000) n`,
      [new Date(from)],
    );
    await database.pool.query('vacuum analyze decision');
    const asked = [1, 'onboarding', new Date(from + day), new Date(from + 2 * day), null];
    const explained = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze) ${selectPlacementReport}`,
      asked,
    );
    const plan = explained.rows.map((row) => row['QUERY PLAN']);
    expect(plan.filter((line) => line.includes('Seq Scan on decision'))).toEqual([]);
    expect(plan.some((line) => line.includes('decision_app_id_placement_id_time_idx'))).toBe(true);
    const read = plan.flatMap((line) => /on decision served.*actual.* rows=([\d.]+)/.exec(line)?.[1] ?? []);
    expect(Math.max(...read.map(Number))).toBe(720);
  });
});

it('a report reads the purchases of its decisions, and not all there are', async () => {
  const { pool } = database;
  const idOf = (kind: number, n: string) => `('${kind}0000000-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await pool.query(
    `insert into decision (profile_id, decision_id, time, version, app_id, placement_id, target, paywall_id, external_id,
       is_drawn, is_kept, ai_weight, baseline_weight)
     select ${idOf(2, 'n')}, ${idOf(1, 'n')}, $1::timestamptz + n * interval '1 s', n, 1, 'onboarding', 'ai_model', 12,
       'calm_v1', true, false, 90, 10
     from generate_series(1, 50000) n`,
    [new Date(from)],
  );
  await pool.query(
    `insert into purchase_chain (chain_id, app_id, version, decision_id, chain)
     select ${idOf(4, 'n')}, 1, 1, ${idOf(1, '2 * n')}, '{"environment": "production"}' || repeat(' ', 1000)
     from generate_series(1, 25000) n`,
  );
  await pool.query(
    `insert into later_decision select ${idOf(4, '10 * n')}, ${idOf(1, '20 * n + 1')} from generate_series(1, 2000) n`,
  );
  await pool.query(
    `insert into ledger_entry (chain_id, movement_id, version, app_id, time, type, store, environment, transaction_id,
       product_id, amount, currency, usd, decision_id)
     select chain_id, 'm' || n, n, 1, $1, 'charge', 'app_store', 'production', 't' || n, 'p', 1, 'USD', 1, decision_id
     from purchase_chain, generate_series(1, 3) n`,
    [new Date(from)],
  );
  await pool.query('analyze decision, purchase_chain, later_decision, ledger_entry');
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (analyze) ${selectPlacementReport}`, [
    ...[1, 'onboarding', new Date(from), new Date(from + 200_000), null],
  ]);
  const plan = rows.map((row) => row['QUERY PLAN']);
  expect(plan.filter((line) => /Seq Scan on (purchase_chain|ledger_entry)/.test(line))).toEqual([]);
  const inVain = plan.map((line) => Number(/Removed by Join Filter: (\d+)/.exec(line)?.[1] ?? 0));
  expect(Math.max(...inVain)).toBeLessThan(100_000);
});

type Weights = readonly [ai: number, baseline: number];
interface Draw extends Omit<DecidedRow, 'name' | 'weighing'> {
  readonly target: 'ai_model' | 'baseline' | 'placement';
  readonly usd?: string;
}

describe('AI against Baseline, in the report of a placement', () => {
  async function drawn(name: string, [aiWeight, baselineWeight]: Weights, { usd, ...draw }: Draw) {
    await insertDecision(database.pool, { name, time: from, ...draw, weighing: { aiWeight, baselineWeight } });
    if (usd !== undefined) await insertBought(database.pool, { name, chain: name, usd: [usd] });
  }
  const comparison = async () => (await report()).find(({ comparison }) => comparison !== null)?.comparison ?? null;

  it('finds them alike where they earn alike at any time, whatever shares they had then', async () => {
    const weeks = [
      { week: 'good', ofAi: 8, usd: '3' },
      { week: 'poor', ofAi: 2, usd: '1' },
    ];
    for (const { week, ofAi, usd } of weeks)
      for (let draw = 0; draw < 10; draw++)
        await drawn(`${week}/${draw}`, [ofAi, 10 - ofAi], { target: draw < ofAi ? 'ai_model' : 'baseline', usd });
    const targets = (await report()).filter(({ paywallId }) => paywallId === null);
    expect(targets).toMatchObject([{ usdPerDraw: '2.600000' }, { usdPerDraw: '1.400000' }]);
    // Those who paid weigh .2 or .8: 10 of them tell as much as 6.4 alike.
    const side = { draws: 10, payers: expect.closeTo(6.4, 9), usdPerDraw: '2.000000' };
    expect(await comparison()).toMatchObject({ ai: side, baseline: side, usdPerDraw: '0.000000' });
  });

  it('tells what each earned a draw while shares stay, and how profiles spread around the difference', async () => {
    await drawn('a', [9, 1], { profile: 'one', target: 'ai_model', usd: '6' });
    await drawn('b', [9, 1], { profile: 'one', target: 'baseline' });
    await drawn('c', [9, 1], { profile: 'two', target: 'ai_model' });
    await drawn('d', [9, 1], { profile: 'three', target: 'baseline', usd: '1' });
    expect(await comparison()).toMatchObject({
      ai: { draws: 2, payers: expect.closeTo(1, 9), usdPerDraw: '3.000000' },
      baseline: { draws: 2, payers: expect.closeTo(1, 9), usdPerDraw: '0.500000' },
      usdPerDraw: '2.500000',
    });
    // Beyond the means, a draw of its side: one 3/2 - (-.5/2), two -3/2, three -(.5/2).
    const { profiles, squaredSurplus, cubedSurplus } = (await comparison())?.spread ?? {};
    expect(profiles).toBe(3);
    expect(squaredSurplus).toBeCloseTo(1.75 ** 2 + 1.5 ** 2 + 0.25 ** 2, 9);
    expect(cubedSurplus).toBeCloseTo(1.75 ** 3 - 1.5 ** 3 - 0.25 ** 3, 9);
  });

  it('is of draws in which either could come, at this placement, with what their repeats sold', async () => {
    const ai = { target: 'ai_model' } as const;
    await drawn('draw', [1, 1], { ...ai, stickyUntil: from + day });
    await drawn('other', [1, 1], { target: 'baseline', usd: '2' });
    await insertDecision(database.pool, { name: 'again', profile: 'draw', time: period.to, repeats: 'draw', ...ai });
    await insertBought(database.pool, { name: 'again', chain: 'again', usd: ['5'] });
    await drawn('only Baseline', [0, 1], { target: 'baseline', usd: '9' });
    await drawn('only AI', [1, 0], { ...ai, usd: '9' });
    await drawn('elsewhere', [1, 1], { target: 'placement', next: 'settings', usd: '9' });
    await insertDecision(database.pool, { name: 'undrawn', time: from, weight: null });
    expect(await comparison()).toMatchObject({
      ai: { draws: 1, usdPerDraw: '5.000000' },
      baseline: { draws: 1, usdPerDraw: '2.000000' },
    });
  });

  it('takes a side whose weight is next to nothing for one that could not come', async () => {
    await drawn('draw', [1, 1], { target: 'ai_model', usd: '3' });
    await drawn('other', [1, 1], { target: 'baseline', usd: '2' });
    await drawn('mostly AI', [1e308, 1e-300], { target: 'ai_model', usd: '9' });
    await drawn('by a miracle', [1e308, 1e-300], { target: 'baseline', usd: '9' });
    const ai = { draws: 1, usdPerDraw: '3.000000' };
    expect(await comparison()).toMatchObject({ ai, baseline: { draws: 1, usdPerDraw: '2.000000' } });
  });

  it('is none while one of them was never drawn', async () => {
    await drawn('a', [1, 1], { target: 'ai_model', usd: '2' });
    expect(await comparison()).toBeNull();
  });
});
