import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AppSnapshot,
  CreateApp,
  ReplaceCatalog,
  topics,
  type AnyCommandDefinition,
  type CatalogDocument,
  type Command,
} from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import { createCommandProcessor, PostgresEventStore } from '@paywright/event-sourcing';
import { commandFor, eventStoreDatabase, type EventStoreDatabase } from '@paywright/event-sourcing/testing';
import { BrokerTime, type BatchResult, type ReceivedMessage } from '@paywright/messaging';
import { SystemClock } from '@paywright/platform';
import { createCommandBatchHandler } from '@paywright/write-service';
import { CatalogConsumer } from './catalog.consumer.ts';
import { appDecider } from './domain/app-decider.ts';
import { changed, keyRecord } from './domain/testing/app-messages.ts';
import { snapshotRecords } from './snapshot-records.ts';

let database: EventStoreDatabase;
beforeAll(async () => {
  database = await eventStoreDatabase('catalog');
});
afterAll(async () => database[Symbol.asyncDispose]());

const clock = new SystemClock();
const actor = 'ops';

/** The service without Kafka; each has its own memory, as each instance has. */
function instance(): CatalogConsumer {
  const process = createCommandProcessor({ decider: appDecider, store: new PostgresEventStore(database.pool) });
  const topic = topics.catalogCommands;
  return new CatalogConsumer(
    createCommandBatchHandler({
      service: 'catalog',
      topic,
      process,
      brokerTime: new BrokerTime(clock),
      extraRecords: snapshotRecords,
    }),
  );
}

function messageOf({ id, type, version, appId, key, issuedAt, body }: Command): ReceivedMessage {
  const headers = {
    id,
    type,
    version: String(version),
    app: String(appId),
    'issued-at': String(issuedAt),
    deadline: String(issuedAt + 30_000),
    'reply-partition': '5',
  };
  const place = { topic: topics.catalogCommands, partition: 0, offset: '7', timestamp: issuedAt };
  return { ...place, key, headers, value: Buffer.from(JSON.stringify(body)) };
}

let apps = 0;
const message = <D extends AnyCommandDefinition>(definition: D, appId: number, body: Command['body']) =>
  messageOf({ ...commandFor(definition, { key: String(appId), issuedAt: clock.now(), body }), appId });
async function newApp(): Promise<number> {
  const appId = ++apps;
  await instance().handle([message(CreateApp, appId, { name: 'Demo', actor, keys: [keyRecord('secret')] })]);
  return appId;
}
const put = (appId: number, document: CatalogDocument) =>
  message(ReplaceCatalog, appId, { actor, document, ifRevision: null, dryRun: false });

const replyOf = ({ publish }: BatchResult) =>
  String(publish.find(({ topic }) => topic === topics.gatewayReplies)?.value);
const snapshotOf = ({ publish }: BatchResult) => {
  const records = publish.filter(({ topic }) => topic === topics.catalogSnapshots);
  expect(records).toHaveLength(1);
  expect(records[0]?.key).toMatch(/^\d+$/);
  return AppSnapshot.parse(JSON.parse(String(records[0]?.value)));
};

/** The example with this paywall in place of its second one. */
const withPaywall = (id: string) =>
  changed({
    paywalls: exampleCatalog.paywalls.map((paywall) => (paywall.id === 'bold' ? { ...paywall, id } : paywall)),
    models: exampleCatalog.models.map((model) => ({ ...model, candidates: ['calm', id] })),
  });

describe('catalog service', () => {
  it('publishes the app as it is with every accepted command, on a redelivery too', async () => {
    const appId = await newApp();
    const first = put(appId, exampleCatalog);
    const answered = await instance().handle([first]);
    expect(snapshotOf(answered)).toMatchObject({ appId, version: 2, revision: 1, document: exampleCatalog });

    await instance().handle([put(appId, withPaywall('loud'))]);
    const again = await instance().handle([first]);
    expect(replyOf(again)).toBe(replyOf(answered));
    expect(snapshotOf(again)).toMatchObject({ version: 3, revision: 2 });
  });

  it('says the same from snapshots of its state as from all events', async () => {
    const appId = await newApp();
    for (let turn = 0; turn < 24; turn++) {
      const id = `paywall-${turn % 7}`;
      const { ids, revision } = snapshotOf(await instance().handle([put(appId, withPaywall(id))]));
      // Integers come back with their paywall: 1 is calm's, 2 to 8 are given out in the first seven turns.
      expect([revision, ids.paywalls]).toEqual([turn + 1, { calm: 1, [id]: (turn % 7) + 2 }]);
    }
    const { rows } = await database.pool.query<{ version: number }>('SELECT version FROM snapshot WHERE stream = $1', [
      String(appId),
    ]);
    expect(rows[0]?.version).toBeGreaterThanOrEqual(10);
  });

  it('keeps an 8 MiB catalog', async () => {
    const appId = await newApp();
    const remoteConfigs = 'x'.repeat(64 * 1024);
    const paywalls = Array.from({ length: 127 }, (_, index) => ({
      ...exampleCatalog.paywalls[0]!,
      id: `p${index}`,
      remoteConfigs,
    }));
    const document = changed({ paywalls: [...exampleCatalog.paywalls, ...paywalls] });
    const { document: kept } = snapshotOf(await instance().handle([put(appId, document)]));
    expect(kept).toEqual(document);
    expect(JSON.parse(replyOf(await instance().handle([put(appId, document)]))).body).toMatchObject({
      revision: 1,
      changes: [],
    });
  });
});
