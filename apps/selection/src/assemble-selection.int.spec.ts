import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { CatalogDocument, PaywallServed, type AppSnapshot } from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import { createCommandProcessor, PostgresEventStore } from '@paywright/event-sourcing';
import { CoalescingProducer } from '@paywright/messaging';
import { ManualClock, Metrics } from '@paywright/platform';
import { testDatabase, testTopics, type TestDatabase, type TestTopics } from '@paywright/testing';
import { type ModelControlRecord, snapshotRecords } from '@paywright/selection-models';
import { appSnapshot, hourMs, issuedAt, learned } from '@paywright/selection-models/testing';
import { assembleSelection } from './assemble-selection.ts';
import { serve } from './testing/selection-commands.ts';

const metrics = new Metrics();
const clock = new ManualClock(issuedAt);
const sticky = CatalogDocument.parse({
  ...exampleCatalog,
  models: exampleCatalog.models.map((model) => ({ ...model, traffic: [{ target: 'ai_model', weight: 1 }] })),
  placements: exampleCatalog.placements.map((placement) => ({ ...placement, stickyFor: 'P1D' })),
});

/** Without stickiness, so that each fetch is drawn. */
const aiAlone = CatalogDocument.parse({
  ...sticky,
  placements: exampleCatalog.placements.map((placement) => ({ ...placement, stickyFor: null })),
});

let topics: TestTopics<'catalog.snapshots' | 'selection.models'>;
let database: TestDatabase;
let producer: CoalescingProducer;

beforeAll(async () => {
  topics = await testTopics({ 'catalog.snapshots': 1, 'selection.models': 1 }, { 'cleanup.policy': 'compact' });
  database = await testDatabase('event-store');
  producer = new CoalescingProducer({ kafka: topics.connection, metrics });
  await producer.connect();
}, 30_000);

afterAll(async () => {
  await producer.close();
  await database[Symbol.asyncDispose]();
  await topics[Symbol.asyncDispose]();
});

const publish = (snapshot: AppSnapshot) =>
  producer.send([
    {
      topic: topics.nameOf('catalog.snapshots'),
      key: String(snapshot.appId),
      headers: {},
      value: JSON.stringify(snapshot),
    },
  ]);

/** The service as a process has it, between its catalogs in Kafka and its streams in Postgres. */
async function started() {
  const sources = { catalogs: topics.nameOf('catalog.snapshots'), models: topics.nameOf('selection.models') };
  const parts = assembleSelection({ kafka: topics.connection, clock, metrics }, sources);
  await parts.start?.(new AbortController().signal);
  const process = createCommandProcessor({ ...parts, store: new PostgresEventStore(database.pool) });
  return {
    isReady: () => parts.checks?.every((check) => check.ready() === true),
    stop: () => parts.stop?.(),
    serve: async (...given: Parameters<typeof serve>): Promise<PaywallServed['body']> => {
      const command = serve(...given);
      await parts.before?.([command]);
      const [outcome] = await process([command]);
      if (outcome?.kind !== 'accepted') throw new Error(`${outcome?.kind}`);
      const [served] = outcome.events;
      if (served?.type !== 'PaywallServed') throw new Error('nothing was served');
      return PaywallServed.body.parse(served.body);
    },
  };
}

describe('the selection service', () => {
  it('knows every app when it is ready, and new revisions when they are asked for', async () => {
    await publish(appSnapshot(1, 1));
    await publish(appSnapshot(2, 2));
    const service = await started();
    try {
      expect(service.isReady()).toBe(true);
      expect(await service.serve({ catalogRevision: 2 })).toMatchObject({ catalogRevision: 2 });
      const asked = service.serve({ catalogRevision: 3 });
      await publish(appSnapshot(3, 3));
      expect(await asked).toMatchObject({ catalogRevision: 3 });
      await expect(service.serve({ catalogRevision: 99 })).rejects.toThrow('refused');
    } finally {
      await service.stop();
    }
  }, 30_000);

  it('reads the models once: who keeps their newest on the topic is told by the reader that serves them', () => {
    const { checks, stateTopic } = assembleSelection({ kafka: topics.connection, clock, metrics });
    expect(checks).toContain(stateTopic?.reader);
  });

  it('keeps what a profile is to keep, over many decisions and a new process', async () => {
    await publish(appSnapshot(4, 4, { document: sticky }));
    const service = await started();
    const first = await service.serve({ catalogRevision: 4 });
    for (let times = 0; times < 120; times++) await service.serve({ catalogRevision: 4, placementId: 'settings' });
    await service.stop();

    const { rows } = await database.pool.query('select version from snapshot');
    expect(rows).toHaveLength(1);
    const next = await started();
    try {
      const again = await next.serve({ catalogRevision: 4, at: issuedAt + hourMs });
      expect(again).toMatchObject({ stickyTo: first.decisionId, paywall: first.paywall, isExperiment: true });
    } finally {
      await next.stop();
    }
  }, 30_000);

  it('serves what was learned in every instance, and in one that starts later too', async () => {
    await publish(appSnapshot(5, 5, { document: aiAlone }));
    const services = [await started(), await started()];
    const served = async ({ serve: fetch }: Awaited<ReturnType<typeof started>>) =>
      (await fetch({ catalogRevision: 5 })).modelVersion;
    try {
      for (const service of services) expect(await served(service)).toBe('uniform-1');
      const snapshot = { appId: 1, model: 'main', ...learned() };
      await producer.send(snapshotRecords(snapshot, topics.nameOf('selection.models')));
      const version = `learned-2:${snapshot.sha256}`;
      for (const service of services) while ((await served(service)) !== version) await delay(20);
      services.push(await started());
      for (const service of services) expect(await served(service)).toBe(version);
      const archived = snapshotRecords(snapshot, topics.nameOf('selection.models'));
      await producer.send(archived.map((record) => ({ ...record, value: null })));
      for (const service of services) while ((await served(service)) !== 'uniform-1') await delay(20);
    } finally {
      for (const service of services) await service.stop();
    }
  }, 30_000);

  it('holds AI back when the guard says so, and names it in the record', async () => {
    await publish(appSnapshot(6, 6, { document: aiAlone }));
    const record: ModelControlRecord = { kind: 'control', appId: 1, model: 'main', aiShare: 0 };
    await producer.send([
      { topic: topics.nameOf('selection.models'), key: '1/main/control', headers: {}, value: JSON.stringify(record) },
    ]);
    const service = await started();
    try {
      const served = await service.serve({ catalogRevision: 6 });
      expect(served).toMatchObject({ target: 'baseline', isExperiment: false, aiShares: { main: 0 } });
      expect(served.path).toEqual([{ placementId: 'onboarding', target: 'baseline', weight: 1 }]);
    } finally {
      await service.stop();
    }
  }, 30_000);
});
