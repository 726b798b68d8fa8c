import { describe, expect, it } from '@jest/globals';
import {
  AppCreated,
  CatalogDocument,
  CatalogReplaced,
  KeyIssued,
  KeyRevoked,
  ModelFrozen,
  ModelGuardReleased,
  ModelGuardTripped,
  ModelShareLimited,
  ModelUnfrozen,
  type DomainEvent,
} from '@paywright/contracts';
import type { OutgoingMessage, Service } from '@paywright/messaging';
import { createLogger, derivedId, Metrics } from '@paywright/platform';
import fc from 'fast-check';
import { catalogProjection } from './catalog/catalog.projection.ts';
import { decisionsProjection } from './decisions/decisions.projection.ts';
import type { Projection } from './following/projection.ts';
import { impressionsProjection } from './impressions/impressions.projection.ts';
import { personalProjection } from './personal/personal.projection.ts';
import { profileProjection } from './profile/profile.projection.ts';
import { ProjectionMetrics } from './projection-metrics.ts';
import { contradictionsTold, liveProjections } from './projections.ts';
import {
  appId,
  attributeSet,
  created,
  eventRecord,
  personalRecord,
  profileA,
  profileB,
  profileC,
  received,
  served,
  shown,
  superseded,
  updated,
} from './testing/event-log.ts';
import { appRecords } from './testing/mixed-log.ts';
import { purchaseChain } from './testing/purchase-log.ts';
import { clock, follow, type Reading, rowsAfter, rowsOf, type Table, testReadModel } from './testing/read-model.ts';

const { pool } = await testReadModel();

const project = (
  projection: Projection,
  log: readonly OutgoingMessage[],
  tables: readonly Table[],
  reading?: Reading,
) => rowsAfter(pool, projection, log, tables, reading);

const profiles = [profileA, profileB, profileC];
const text = fc.constantFrom('DE', 'FR', 'US');
const anyProfileEvent: fc.Arbitrary<(profileId: string) => DomainEvent> = fc.oneof(
  fc
    .record({ country: fc.option(text), locale: fc.option(text) })
    .map((changes) => (id: string) => updated(id, changes)),
  fc.tuple(text, text).map(
    ([key, value]) =>
      (id: string) =>
        attributeSet(id, key, value),
  ),
);
const anyDecision = fc.constantFrom(
  (id: string) => served(id, derivedId(`${id}/served`)),
  (id: string) => superseded(id, derivedId(`${id}/served`)),
);
/** A stream for each profile, mixed into one log, each record of which may be published again later. */
function anyLog(
  service: Service,
  event: fc.Arbitrary<(profileId: string) => DomainEvent>,
  first?: (profileId: string) => DomainEvent,
): fc.Arbitrary<OutgoingMessage[]> {
  const step = fc.record({ profile: fc.nat(2), event, again: fc.nat(9) });
  return fc.array(step, { minLength: 1, maxLength: 30 }).map((steps) => {
    const versions = new Map<string, number>();
    const log: OutgoingMessage[] = [];
    for (const { profile, event: make, again } of steps) {
      const id = profiles[profile] ?? profileA;
      const version = (versions.get(id) ?? 0) + 1;
      versions.set(id, version);
      log.push(eventRecord(service, id, version, version === 1 && first ? first(id) : make(id)));
      const repeated = again < 3 ? log.at(-1 - again) : undefined;
      if (repeated) log.push(repeated);
    }
    return log;
  });
}

const noDefects = new Set<never>();
const cases: readonly [string, Projection, fc.Arbitrary<OutgoingMessage[]>, readonly Table[]][] = [
  [
    'profiles',
    profileProjection(noDefects),
    anyLog('profile', anyProfileEvent, (id) => created(id, { country: 'GB' })),
    ['profile', 'profile_event'],
  ],
  [
    'decisions',
    decisionsProjection(noDefects),
    anyLog('selection', anyDecision, (id) => served(id, derivedId(`${id}/served`))),
    ['profile_event', 'decision'],
  ],
];

describe.each(cases)('the rows of %s', (_, projection, logs, tables) => {
  it('are the same for any batches, redelivered or not', () =>
    fc.assert(
      fc.asyncProperty(logs, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), async (log, sizes) => {
        const distinct = [...new Set(log)];
        const expected = await project(projection, distinct, tables, { sizes: [1] });
        expect(expected.every((rows) => rows.length > 0)).toBe(true);
        expect(await project(projection, log, tables, { sizes, times: 2 })).toEqual(expected);
      }),
      { numRuns: 10 },
    ));
});

describe('unique impressions', () => {
  const log = [
    eventRecord('impression', profileA, 1, shown(profileA, [1, 2], [1, 2], derivedId('decision'))),
    eventRecord('impression', profileA, 2, shown(profileA, [1], [])),
    eventRecord('impression', profileB, 1, shown(profileB, [1], [1])),
  ];

  it('are one a profile and paywall, with the placement and time of the first', async () => {
    const [rows] = await project(impressionsProjection(noDefects), [...log, ...log], ['unique_impression'], {
      times: 2,
    });
    expect(rows).toMatchObject([
      {
        profile_id: profileA,
        paywall_id: 1,
        app_id: appId,
        placement_id: 'onboarding',
        decision_id: derivedId('decision'),
      },
      { profile_id: profileA, paywall_id: 2 },
      {
        profile_id: profileB,
        paywall_id: 1,
        decision_id: null,
        first_shown_at: new Date(Date.UTC(2026, 0, 1, 0, 0, 1)),
      },
    ]);
  });
});

describe('personal fields', () => {
  const record = (version: number, customerUserId: string) =>
    personalRecord(profileA, {
      appId,
      profileId: profileA,
      version,
      fields: { customerUserId, email: `${version}@x.y` },
    });
  const tombstone = (version: number): OutgoingMessage => ({
    ...personalRecord(profileA, null),
    headers: { app: String(appId), version: String(version) },
  });
  const personalOf = async (...log: readonly OutgoingMessage[]) =>
    (await project(personalProjection, log, ['profile_personal'], { sizes: [2], times: 2 }))[0];

  it('are those of the newest version, in whatever order they come', async () => {
    const newest = [{ version: 3, customer_user_id: 'newest', fields: { customerUserId: 'newest', email: '3@x.y' } }];
    expect(await personalOf(record(1, 'old'), record(3, 'newest'), record(1, 'old'))).toMatchObject(newest);
    expect(await personalOf(record(3, 'newest'), record(2, 'older'), record(1, 'old'))).toMatchObject(newest);
  });

  const nobody = (version: number) => ({ version, customer_user_id: null, fields: {} });

  it('are gone with a tombstone, which no record of before it undoes, and may be given anew', async () => {
    const gone = [nobody(3)];
    expect(await personalOf(record(1, 'old'), tombstone(3))).toMatchObject(gone);
    expect(await personalOf(record(2, 'old'), tombstone(3), record(2, 'old'), record(1, 'old'))).toMatchObject(gone);
    expect(await personalOf(tombstone(3), record(2, 'old'))).toMatchObject(gone);
    expect(await personalOf(record(2, 'old'), tombstone(3), record(4, 'new'), record(2, 'old'))).toMatchObject([
      { version: 4, customer_user_id: 'new' },
    ]);
    expect(await personalOf(record(4, 'new'), tombstone(3))).toMatchObject([{ version: 4, customer_user_id: 'new' }]);
  });

  it('are gone with a tombstone that tells no version too, and so is each record known until then', async () => {
    const bare = personalRecord(profileA, null);
    expect(await personalOf(record(2, 'old'), bare, record(2, 'old'), record(1, 'old'))).toMatchObject([nobody(2)]);
    expect(await personalOf(record(2, 'old'), bare, record(3, 'new'))).toMatchObject([
      { version: 3, customer_user_id: 'new' },
    ]);
    expect(await personalOf(bare)).toEqual([]);
  });

  it('that cannot be read are named by their path, not kept, and hold nobody up', async () => {
    const follower = follow(pool, personalProjection);
    await follower.claim(0);
    const faulty = {
      ...record(1, 'x'),
      value: JSON.stringify({ appId, profileId: profileA, version: 1, fields: { email: 5 } }),
    };
    const { deadLetters: letters } = await follower.handle(received([faulty, record(2, 'next')]));
    expect(letters).toMatchObject([{ reason: 'Faulty: fields.email.' }]);
    const { rows } = await pool.query('select payload, blocks from dead_letter');
    expect(rows).toEqual([{ payload: null, blocks: false }]);
    expect(await rowsOf(pool, 'profile_personal')).toMatchObject([{ customer_user_id: 'next' }]);
  });
});

describe('the catalog', () => {
  const key = { kind: 'secret', prefix: 'sk_1', sha256: 'a'.repeat(64) } as const;
  const document = CatalogDocument.parse({});
  const ids = { paywalls: {}, models: {}, products: {}, paywallProducts: {} };
  const replaced = (revision: number) =>
    CatalogReplaced.of({ appId, actor: 'ann', revision, document, ids, paywallRevisions: {} });
  const log = [
    AppCreated.of({ appId, name: 'Demo', actor: 'ann', createdAt: 1_000, keys: [{ ...key, keyId: 1 }] }),
    KeyIssued.of({ appId, actor: 'bob', createdAt: 2_000, key: { ...key, keyId: 2 } }),
    KeyRevoked.of({ appId, actor: 'bob', revokedAt: 3_000, keyId: 1 }),
    replaced(1),
    replaced(2),
  ].map((event, index) => eventRecord('catalog', String(appId), index + 1, event));

  it('has apps, keys and revisions, once', async () => {
    const tables = ['app', 'app_key', 'catalog_revision'] as const;
    const [apps, keys, revisions] = await project(catalogProjection(noDefects), [...log, ...log], tables, {
      sizes: [2],
      times: 2,
    });
    expect(apps).toMatchObject([{ app_id: appId, version: 5, name: 'Demo', created_at: new Date(1_000) }]);
    expect(keys).toMatchObject([
      { key_id: 1, kind: 'secret', prefix: 'sk_1', revoked_at: new Date(3_000) },
      { key_id: 2, created_at: new Date(2_000), revoked_at: null },
    ]);
    expect(revisions).toMatchObject([{ revision: 1, actor: 'ann', document }, { revision: 2 }]);
  });

  it('tells who changed what, without secrets', async () => {
    const [audit] = await project(catalogProjection(noDefects), log, ['audit']);
    expect(audit).toMatchObject([
      { actor: 'ann', action: 'AppCreated', before: null, after: { name: 'Demo' } },
      { actor: 'bob', action: 'KeyIssued', after: { keyId: 2, kind: 'secret', prefix: 'sk_1' } },
      { action: 'KeyRevoked', before: { keyId: 1, revoked: false }, after: { keyId: 1, revoked: true } },
      { action: 'CatalogReplaced', before: { revision: 0 }, after: { revision: 1 } },
      { action: 'CatalogReplaced', before: { revision: 1 }, after: { revision: 2 } },
    ]);
    expect(JSON.stringify(audit)).not.toContain(key.sha256);
  });
});

describe('what people do to models', () => {
  const stream = derivedId('model main');
  const model = { appId, model: 'main' };
  const evidence = { starts: null, usd: null, exposures: 500 };
  const log = [
    ModelGuardTripped.of({ ...model, aiShare: 0.5, formerAiShare: 1, evidence }),
    ModelFrozen.of({ ...model, actor: 'ann' }),
    ModelUnfrozen.of(model),
    ModelGuardReleased.of({ ...model, aiShare: 1, formerAiShare: 0.5, evidence: null, actor: 'bob' }),
    ModelShareLimited.of({ ...model, aiShare: 0.25, formerAiShare: 1, actor: 'ann' }),
  ].map((event, index) => eventRecord('selection', stream, index + 1, event));

  it('is in the audit, once; what guards do is not', async () => {
    const [audit, events] = await project(
      decisionsProjection(noDefects),
      [...log, ...log],
      ['audit', 'profile_event'],
      {
        sizes: [3],
        times: 2,
      },
    );
    expect(events?.map(({ type }) => type)).toEqual([
      'ModelGuardTripped',
      'ModelFrozen',
      'ModelUnfrozen',
      'ModelGuardReleased',
      'ModelShareLimited',
    ]);
    expect(audit).toMatchObject([
      { app_id: appId, version: 2, actor: 'ann', action: 'ModelFrozen', before: { model: 'main', isFrozen: false } },
      { version: 4, actor: 'bob', action: 'ModelGuardReleased', before: { aiShare: 0.5 }, after: { aiShare: 1 } },
      { version: 5, actor: 'ann', action: 'ModelShareLimited', before: { aiShare: 1 }, after: { aiShare: 0.25 } },
    ]);
  });
});

describe('an event whose version is known', () => {
  const chain = purchaseChain('1000');
  const logs = [
    [
      eventRecord('profile', profileA, 1, created(profileA)),
      eventRecord('profile', profileA, 2, updated(profileA, {})),
    ],
    appRecords,
    [eventRecord('selection', profileA, 1, served(profileA, derivedId('decision')))],
    [eventRecord('impression', profileA, 1, shown(profileA, [12], [12]))],
    chain.log(chain.bought(0), chain.claimed(profileA)),
  ].map((log) => [log[0]!.topic, log] as const);

  it.each(logs)('is told of if it is no repeat, on %s', async (topic, log) => {
    const lines: string[] = [];
    const metrics = new Metrics();
    const logger = createLogger({ service: 'test', level: 'error' }, { write: (line) => void lines.push(line) });
    const tell = contradictionsTold({ logger, metrics: new ProjectionMetrics(metrics, clock) });
    const projection = liveProjections(noDefects, { publish: async () => undefined, tell }).find(
      (each) => each.topic === topic,
    );
    const follower = follow(pool, projection!);
    await follower.claim(0);
    const last = log.at(-1)!;
    const other = { ...last, headers: { ...last.headers, ce_id: derivedId('given again') } };
    await follower.handle(received([...log, ...log]));
    await follower.handle(received(log, 2 * log.length));
    expect(lines).toEqual([]);

    await follower.handle(received([last, other, last], 3 * log.length));

    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { topic, stream: last.key, streamVersion: log.length, id: derivedId('given again'), count: 1 },
    ]);
    expect(await metrics.text()).toContain(`paywright_projection_contradictions_total{topic="${topic}"} 1`);
  });

  it('is a repeat though a model of the app has an event of that version in the audit', async () => {
    const told: unknown[] = [];
    const follower = follow(
      pool,
      catalogProjection(noDefects, (_, events) => void told.push(...events)),
    );
    await follower.claim(0);
    await follower.handle(received(appRecords));
    const models = follow(pool, decisionsProjection(noDefects));
    await models.claim(0);
    const frozen = ModelFrozen.of({ appId, model: 'main', actor: 'ann' });
    await models.handle(received([eventRecord('selection', derivedId('model main'), 1, frozen)]));
    await follower.handle(received(appRecords, 1));
    expect(told).toEqual([]);
  });

  it('is told of also where both come in one batch', async () => {
    const told: unknown[] = [];
    const first = eventRecord('profile', profileA, 1, created(profileA));
    const other = { ...first, headers: { ...first.headers, ce_id: derivedId('given again') } };
    const follower = follow(
      pool,
      profileProjection(new Set(), (_, events) => void told.push(...events)),
    );
    await follower.claim(0);
    await follower.handle(received([first, first, other]));
    expect(told).toMatchObject([{ stream: profileA, streamVersion: 1, id: derivedId('given again') }]);
  });
});
