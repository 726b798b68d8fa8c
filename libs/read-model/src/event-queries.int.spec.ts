import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { DecisionQueries } from './decision-queries.ts';
import { InvalidCursor, ListCursors } from './page.ts';
import { allPages } from './testing/all-pages.ts';
import { TimelineQueries } from './timeline-queries.ts';

const uuid = (digit: number) => `0000000${digit}-0000-4000-8000-000000000000`;
const profileId = uuid(1);
const [first, second] = [uuid(2), uuid(3)];

const served = (decisionId: string) => ({
  ...{ appId: 1, profileId, decisionId, placementId: 'onboarding', paywall: 'calm', paywallId: 12, catalogRevision: 1 },
  ...{ isExperiment: false, aiPricingModelId: null, abTestId: null, externalId: 'calm', target: 'baseline', path: [] },
  ...{ modelVersion: null, candidates: [], probability: null, seed: decisionId, latencyMs: 1, stickyTo: null },
  ...{ stickyUntil: null, fallback: null },
  context: {
    ...{ country: null, storeCountry: null, locale: null, currency: null, device: null, os: null, osVersion: null },
    ...{ platform: null, appVersion: null, appBuild: null, timezone: null, attributionSource: null, store: null },
    ...{ profileCreatedAt: 0, custom: {} },
  },
});
const reported = (digit: number, eventType: string, decisionId: string | null, foreignToken = false) => ({
  ...{ eventId: uuid(digit), eventType, decisionId, paywallId: 12, placementId: 'onboarding', aiPricingModelId: null },
  ...{ abTestId: null, isExperiment: null, foreignToken, uniqueImpression: false },
});

const insertEvent = `
  insert into profile_event (service, version, type, time, decision_id, data, profile_id, app_id, id)
  values ($1, $2, $3, to_timestamp($4), $5, $6, $7, 1, gen_random_uuid())`;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('read-model');
  const events = [
    ['profile', 1, 'ProfileCreated', 1, null, { appId: 1 }],
    ['selection', 1, 'PaywallServed', 2, first, served(first)],
    ['selection', 2, 'PaywallServed', 3, second, served(second)],
    ['selection', 3, 'DecisionSuperseded', 3, first, { decisionId: first }],
    [
      'impression',
      1,
      'EventsReported',
      3,
      null,
      { appId: 1, profileId, events: [reported(4, 'paywall_shown', second, true)] },
    ],
    [
      ...['impression', 2, 'EventsReported', 4, null],
      {
        appId: 1,
        profileId,
        events: [reported(5, 'opened', second), reported(6, 'paywall_shown', second), reported(7, 'closed', null)],
      },
    ],
    [
      'impression',
      3,
      'EventsReported',
      5,
      null,
      { appId: 1, profileId, events: [reported(8, 'paywall_shown', second)] },
    ],
  ] as const;
  for (const event of events)
    await database.pool.query(insertEvent, [...event.slice(0, 5), JSON.stringify(event[5]), profileId]);
});
afterAll(async () => await database[Symbol.asyncDispose]());

describe('the timeline', () => {
  const newestFirst = [
    ...['paywall_shown', 'closed', 'paywall_shown', 'opened', 'DecisionSuperseded', 'PaywallServed', 'paywall_shown'],
    ...['PaywallServed', 'ProfileCreated'],
  ];

  it.each([1, 2, 3, 4, 200])('has every event of a batch, newest first, %i a page', async (limit) => {
    const pages = await allPages(limit, (page) => new TimelineQueries(database.pool).ofProfile(1, profileId, page));
    expect(pages.flat().map(({ type }) => type)).toEqual(newestFirst);
    expect(pages.map((page) => page.length)).toEqual(
      Array.from({ length: Math.ceil(9 / limit) }, (_, index) => Math.min(limit, 9 - index * limit)),
    );
  });

  it('shows a reported event by its own id and type', async () => {
    const { entries } = await new TimelineQueries(database.pool).ofProfile(1, profileId, { limit: 1, cursor: null });
    const data = reported(8, 'paywall_shown', second);
    expect(entries).toEqual([{ id: uuid(8), type: 'paywall_shown', time: 5_000, service: 'impression', data }]);
  });

  it('is empty for another app, and for what is no profile', async () => {
    const timeline = new TimelineQueries(database.pool);
    const nothing = { entries: [], nextCursor: null };
    expect(await timeline.ofProfile(2, profileId, { limit: 9, cursor: null })).toEqual(nothing);
    expect(await timeline.ofProfile(1, 'nobody', { limit: 9, cursor: null })).toEqual(nothing);
  });

  it.each([
    ['a cursor of another list', 'MQ'],
    ['a cursor with a NUL', new ListCursors('timeline', z.any()).at([5_000, 'impression\0', profileId, 1, 0])],
  ])('refuses %s', (_name, cursor) =>
    expect(new TimelineQueries(database.pool).ofProfile(1, profileId, { limit: 1, cursor })).rejects.toThrow(
      InvalidCursor,
    ),
  );
});

describe('the timeline of a profile with purchases', () => {
  const [buyer, chain, other] = [uuid(0), `a${uuid(1).slice(1)}`, `b${uuid(1).slice(1)}`];
  const insertPurchase = `
    insert into purchase_event (chain_id, version, type, time, data, app_id, id)
    values ($1, $2, $3, to_timestamp($4), '{}', 1, gen_random_uuid())`;

  beforeAll(async () => {
    const { pool } = database;
    const event = (version: number, time: number) =>
      pool.query(insertEvent, ['selection', version, 'PaywallServed', time, null, '{}', buyer]);
    await event(1, 1);
    await event(2, 5);
    const purchases = [
      [chain, 1, 'bought', 2],
      [chain, 2, 'claimed', 2],
      [chain, 3, 'lost', 5],
      [chain, 4, 'renewed for another', 6],
      [chain, 5, 'reported', 7],
      [other, 1, 'bought', 2],
      [other, 2, 'reported', 2],
      [other, 3, 'ended', 3],
    ];
    for (const purchase of purchases) await pool.query(insertPurchase, purchase);
    await pool.query('insert into purchase_owner values ($1, $2, 3), ($1, $3, null)', [buyer, chain, other]);
    await pool.query('insert into purchase_report values ($1, $2, 5), ($1, $3, 2)', [buyer, chain, other]);
  });

  it.each([1, 2, 3, 4, 200])('has them in time with all others, each once, %i a page', async (limit) => {
    const pages = await allPages(limit, (page) => new TimelineQueries(database.pool).ofProfile(1, buyer, page));
    expect(pages.flat().map(({ service, type }) => `${service} ${type}`)).toEqual([
      'purchase reported',
      'selection PaywallServed',
      'purchase lost',
      'purchase ended',
      'purchase reported',
      'purchase bought',
      'purchase claimed',
      'purchase bought',
      'selection PaywallServed',
    ]);
  });
});

describe('decisions', () => {
  it('are listed newest first, with those that do not count', async () => {
    const pages = await allPages(1, (page) => new DecisionQueries(database.pool).ofProfile(1, profileId, page));
    expect(pages.map(([row]) => [row?.decision.decisionId, row?.time, row?.superseded])).toEqual([
      [second, 3_000, false],
      [first, 2_000, true],
    ]);
  });

  it('are found by their id, in their app', async () => {
    const decisions = new DecisionQueries(database.pool);
    expect(await decisions.find(1, first)).toEqual({ time: 2_000, decision: served(first), superseded: true });
    expect(await decisions.find(2, first)).toBeNull();
    expect(await decisions.find(1, uuid(9))).toBeNull();
    expect(await decisions.find(1, 'x')).toBeNull();
  });

  it('of before an erasure are nobody’s: neither listed nor found by their id', async () => {
    const { pool } = database;
    await pool.query(
      `insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at, erased_at, erased_version)
       values ($1, 1, 2, '{}', '{}', now(), now(), to_timestamp(2.5), 2)`,
      [profileId],
    );
    const decisions = new DecisionQueries(pool);
    const { entries } = await decisions.ofProfile(1, profileId, { limit: 9, cursor: null });
    const found = [await decisions.find(1, first), await decisions.find(1, second)];
    await pool.query('delete from profile');
    expect(entries.map(({ decision }) => decision.decisionId)).toEqual([second]);
    expect(found).toEqual([null, expect.objectContaining({ time: 3_000 })]);
  });

  it('were first shown when the profile itself said so', async () => {
    const decisions = new DecisionQueries(database.pool);
    expect(await decisions.firstShownAt(1, profileId, second)).toBe(4_000);
    expect(await decisions.firstShownAt(1, profileId, first)).toBeNull();
    expect(await decisions.firstShownAt(2, profileId, second)).toBeNull();
  });
});
