import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { modelStreamOf } from '@paywright/purchases';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { ModelQueries } from './model-queries.ts';
import fc from 'fast-check';
import type pg from 'pg';
import { insertBought, insertDecision, insertEvent, insertSuperseded, type DecidedRow } from './testing/report-rows.ts';

let database: TestDatabase;
let models: ModelQueries;
beforeAll(async () => {
  database = await testDatabase('read-model');
  models = new ModelQueries(database.pool);
});
beforeEach(() => database.empty());
afterAll(async () => await database[Symbol.asyncDispose]());

const main = { appId: 1, model: 'main' };
const day = 86_400_000;
const from = Date.UTC(2026, 0, 1);
const weighing = {
  ...{ model: 'main', policy: 'uniform-1', aiWeight: 9, baselineWeight: 1, baselinePaywall: 'calm' },
  ...{ baselinePropensity: 0.55, utcOffsetMinutes: null },
  candidates: [{ paywall: 'calm', score: 0, variance: null, probability: 1, value: null, propensity: 1 }],
};

describe('the changes of a model', () => {
  const change = (type: string, body: object, name = main) =>
    insertEvent(database.pool, {
      ...{ profile: '', stream: modelStreamOf(name), time: from, appId: name.appId, type, decisionId: null },
      data: { ...name, ...body },
    });
  const evidence = { starts: null, usd: { difference: -1, halfWidth: 0.5 }, exposures: 900 };

  it('are told newest first, with who did them, of this model alone', async () => {
    await change('ModelGuardTripped', { aiShare: 0.5, formerAiShare: 1, evidence });
    await change('ModelFrozen', { actor: 'ops' });
    await change('ModelFrozen', {}, { appId: 1, model: 'other' });
    expect(await models.changes(main)).toEqual([
      { time: from, type: 'ModelFrozen', body: { ...main, actor: 'ops' } },
      { time: from, type: 'ModelGuardTripped', body: { ...main, aiShare: 0.5, formerAiShare: 1, evidence } },
    ]);
  });

  it('are the last 200, and the last of before that still say how it stands', async () => {
    for (const type of ['ModelFrozen', 'ModelUnfrozen']) await change(type, { actor: 'ops' });
    for (const aiShare of [0.25, 0.5]) await change('ModelShareLimited', { aiShare, formerAiShare: 1 });
    for (let times = 0; times < 201; times++) await change('ModelGuardReleased', { aiShare: 1, formerAiShare: 0.5, evidence }); // prettier-ignore
    const changes = await models.changes(main);
    expect(changes.map(({ type }) => type).slice(199)).toEqual(['ModelGuardReleased', 'ModelShareLimited', 'ModelUnfrozen']); // prettier-ignore
    expect(changes[200]).toMatchObject({ body: { aiShare: 0.5 } });
  });

  it('have a last version, 0 before any', async () => {
    expect(await models.version(main)).toBe(0);
    await change('ModelFrozen', {});
    const { rows } = await database.pool.query<{ version: number }>('select version from profile_event');
    expect(await models.version(main)).toBe(rows[0]?.version);
  });
});

describe('what the learner tells of a model', () => {
  it('is found by app and model', async () => {
    await using learner = await testDatabase('selection-learning');
    await learner.pool.query(`insert into model_report values (1, 'main', 'abc', to_timestamp(60), '{"starts": 3}')`);
    const queries = new ModelQueries(learner.pool);
    expect(await queries.report(main)).toEqual({ sha256: 'abc', learnedUntil: 60_000, report: { starts: 3 } });
    expect([await queries.report({ ...main, appId: 2 }), await queries.report({ ...main, model: 'x' })]).toEqual([
      null,
      null,
    ]);
  });
});

describe('weighed decisions', () => {
  const numbers = { main: 7, main2: 8, other: 9 };
  const decide = (name: string, row: Partial<DecidedRow> = {}) =>
    insertDecision(database.pool, { name, time: from, weighing, model: numbers.main, ...row });
  /** Of one revision: each placement with its model, whose traffic may lead on. */
  const apply = (revision: number, placements: readonly { id: string; model: string; leadsOnTo?: string }[]) => {
    const models = placements.map(({ model: id, leadsOnTo: placement }) => ({
      ...{ id, traffic: placement === undefined ? [{ target: 'ai_model' }] : [{ target: 'placement', placement }] },
    }));
    const document = { placements: placements.map(({ id, model }) => ({ id, model })), models };
    return database.pool.query(
      `insert into catalog_revision (app_id, revision, document, ids, paywall_revisions, actor, time)
       values (1, $1, $2, $3, '{}', 'ops', now())`,
      [revision, JSON.stringify(document), JSON.stringify({ models: numbers })],
    );
  };
  beforeEach(() => apply(1, [{ id: 'onboarding', model: 'main' }]));
  const request = { ...main, from, to: from + 30 * day, days: 14, withContext: false, limit: 10 };
  const namesOf = async (changes: Partial<typeof request> = {}) => {
    const { decisions, isWhole } = await models.weighed({ ...request, ...changes });
    return { times: decisions.map(({ time }) => (time - from) / day), isWhole };
  };

  it('are the newest of a model and a time, superseded ones and those that nothing weighed left out', async () => {
    for (const days of [-1, 0, 1, 2, 30]) await decide(`at ${days}`, { time: from + days * day });
    await decide('superseded');
    await insertSuperseded(database.pool, 'superseded');
    await decide('other', { weighing: { ...weighing, model: 'main2' }, model: numbers.main2 });
    await insertDecision(database.pool, { name: 'unweighed', time: from });
    await decide('foreign', { appId: 2 });
    expect(await namesOf()).toEqual({ times: [2, 1, 0], isWhole: true });
    expect(await namesOf({ limit: 2 })).toEqual({ times: [2, 1], isWhole: false });
    expect(await namesOf({ limit: 4 })).toEqual({ times: [2, 1, 0], isWhole: true });
  });

  it('are not whole though none of the newest counts, if there were more', async () => {
    await decide('older', { time: from });
    await decide('superseded', { time: from + day });
    await insertSuperseded(database.pool, 'superseded');
    expect(await namesOf({ limit: 1 })).toEqual({ times: [], isWhole: false });
    expect(await namesOf({ to: from })).toEqual({ times: [], isWhole: true });
  });

  it('are the newest of all, however long ago and however dense', async () => {
    const minutes = fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 30 * 1_440 + 60 }));
    const logs = fc.uniqueArray(fc.record({ minutesAgo: minutes, model: fc.constantFrom('main', 'other') }), {
      selector: ({ minutesAgo }) => minutesAgo,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 6 }), async (log, limit) => {
        await database.pool.query('truncate profile_event, decision');
        for (const { minutesAgo, model } of log)
          await decide(`${minutesAgo}`, {
            ...{ time: request.to - minutesAgo * 60_000, weighing: { ...weighing, model }, model: numbers[model] },
          });
        const wanted = log
          .filter(({ minutesAgo, model }) => model === 'main' && minutesAgo > 0 && minutesAgo <= 30 * 1_440)
          .map(({ minutesAgo }) => request.to - minutesAgo * 60_000)
          .sort((a, b) => b - a);
        const { decisions, isWhole } = await models.weighed({ ...request, limit });
        expect(decisions.map(({ time }) => time)).toEqual(wanted.slice(0, limit));
        expect(isWhole).toBe(wanted.length <= limit);
      }),
    );
  });

  it('are those of every placement that had the model, whatever it has by now, and of those that led on to it', async () => {
    await apply(2, [
      { id: 'onboarding', model: 'main2' },
      { id: 'settings', model: 'main' },
      { id: 'start', model: 'other', leadsOnTo: 'settings' },
    ]);
    await decide('before');
    await decide('by now', { weighing: { ...weighing, model: 'main2' }, model: numbers.main2, time: from + day });
    await decide('elsewhere', { placementId: 'settings', time: from + 2 * day });
    const ledOn = { placementId: 'start', model: numbers.other, target: 'placement', next: 'settings' } as const;
    await decide('led on', { ...ledOn, time: from + 3 * day });
    await decide('led elsewhere', {
      ...{ ...ledOn, next: 'onboarding', time: from + 4 * day, weighing: { ...weighing, model: 'main2' } },
    });
    expect(await namesOf()).toEqual({ times: [3, 2, 0], isWhole: true });
    expect(await namesOf({ limit: 2 })).toEqual({ times: [3, 2], isWhole: false });
  });

  it.each([
    ['what is older', request.from, '2 minutes', 'onboarding'],
    ['what other placements served meanwhile', request.to - 3_600_000, '0.1 seconds', 'settings'],
  ])('are found without reading %s, however much that is', async (_what, since, every, placementId) => {
    await database.pool.query(
      `with served as (
         insert into profile_event (service, version, type, time, decision_id, data, profile_id, app_id, id)
         select 'selection', 1, 'PaywallServed', to_timestamp($1::float8) + n * $2::interval, gen_random_uuid(),
           json_build_object('placementId', $3::text, 'context', repeat('x', 1000)), gen_random_uuid(), 1, gen_random_uuid()
         from generate_series(1, 20000) n
         returning profile_id, decision_id, time, version, app_id
       )
       insert into decision (profile_id, decision_id, time, version, app_id, placement_id, target, paywall_id, external_id,
         model, is_drawn, is_kept)
       select profile_id, decision_id, time, version, app_id, $3, 'ai_model', 12, 'calm', 9, true, false from served`,
      [since / 1_000, every, placementId],
    );
    for (let minute = 1; minute <= 20; minute++) await decide(`${minute}`, { time: request.to - minute * 60_000 });
    await database.pool.query('vacuum analyze profile_event');
    await database.pool.query('vacuum analyze decision');
    const { rows } = await database.pool.query<{ pages: number }>(
      `select relpages as pages from pg_class where oid = 'profile_event'::regclass`,
    );
    let touched = 0;
    const explaining = {
      query: async (statement: pg.QueryConfig | string, values?: unknown[]) => {
        const asked = typeof statement === 'string' ? { text: statement, values } : statement;
        const explained = await database.pool.query<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }>(
          `explain (analyze, buffers, format json) ${asked.text}`,
          asked.values,
        );
        const { Plan: read } = explained.rows[0]!['QUERY PLAN'][0]!;
        touched += read['Shared Hit Blocks']! + read['Shared Read Blocks']!;
        return database.pool.query(asked.text, asked.values);
      },
    };
    const { decisions } = await new ModelQueries(database.pool, explaining as never).weighed(request);
    expect(decisions).toHaveLength(10);
    expect(touched).toBeGreaterThan(0);
    expect(touched).toBeLessThan(rows[0]!.pages / 2);
  });

  it('have what they earned within their days, in production', async () => {
    await decide('a');
    await insertBought(database.pool, { name: 'a', chain: 'now', usd: ['0.1', '0.2', null], time: from });
    await insertBought(database.pool, { name: 'a', chain: 'late', usd: ['5'], time: from + 14 * day });
    await insertBought(database.pool, { name: 'a', chain: 'test', usd: ['7'], time: from, environment: 'sandbox' });
    const usd = async (days: number) => (await models.weighed({ ...request, days })).decisions.map((one) => one.usd);
    expect((await usd(14)).map(Number)).toEqual([0.3]);
    expect((await usd(15)).map(Number)).toEqual([5.3]);
  });

  it('have days of 24 hours, wherever the session is', async () => {
    const spring = Date.UTC(2026, 2, 28, 12);
    await decide('a', { time: spring });
    await insertBought(database.pool, { name: 'a', chain: 'late', usd: ['5'], time: spring + 23.5 * 3_600_000 });
    const client = await database.pool.connect();
    try {
      await client.query(`set time zone 'Europe/Berlin'`);
      const { decisions } = await new ModelQueries(client).weighed({
        ...request,
        from: spring,
        to: spring + 1,
        days: 1,
      });
      expect(decisions.map(({ usd }) => Number(usd))).toEqual([5]);
    } finally {
      client.release(true);
    }
  });

  it('have what their repeats sold, where a profile keeps what was drawn for it', async () => {
    const profile = 'keeper';
    await decide('kept', { profile, stickyUntil: from + 20 * day });
    await insertDecision(database.pool, { name: 'again', profile, time: from + day, repeats: 'kept' });
    await insertDecision(database.pool, { name: 'elsewhere', profile, time: from + day, repeats: 'other' });
    await insertBought(database.pool, { name: 'kept', chain: 'kept', usd: ['1'], time: from });
    await insertBought(database.pool, { name: 'again', chain: 'again', usd: ['2'], time: from + day });
    await insertBought(database.pool, { name: 'again', chain: 'too late', usd: ['4'], time: from + 14 * day });
    await insertBought(database.pool, { name: 'elsewhere', chain: 'elsewhere', usd: ['8'], time: from + day });
    expect((await models.weighed(request)).decisions.map(({ usd }) => usd)).toEqual(['3.000000000000']);
  });

  it('are read with the chances of their candidates', async () => {
    await decide('a');
    const { decisions } = await models.weighed(request);
    expect(decisions[0]).toMatchObject({ paywall: 'calm', placementId: 'onboarding' });
    expect(decisions[0]?.weighing()).toEqual(weighing);
  });
});
