import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { groups, topics } from '@paywright/contracts';
import { uniform } from '@paywright/selection-engine';
import { modelKey } from '@paywright/selection-models';
import pg from 'pg';
import { FaultyAppStore } from '../faults/purchases/app-store.ts';
import { createApp } from '../faults/purchases/create-app.ts';
import { ownedPartitions } from '../stack/owned-partitions.ts';
import { recordsOf } from '../stack/raw-topics.ts';
import { Stack } from '../stack/stack.ts';
import { Clocks } from '../torture/arena/clocks.ts';
import { learningCatalog, modelOfPlacement } from './catalog.ts';
import { Customers } from './customers.ts';
import { eventually } from './eventually.ts';
import { publishedOf, replayed, type Published } from './replayed.ts';
import { chosenOf, servedAfterMs } from './served.ts';

const seed = process.env['FAULT_SEED'] ?? 'paywright';
const hourMs = 3_600_000;
const patient = 240_000;
const clock = 'all';

let stack: Stack;
let store: FaultyAppStore;
let clocks: Clocks;
let customers: Customers;
let appId: number;
let aheadMs = 0;

beforeAll(async () => {
  [store, clocks] = [await FaultyAppStore.start(), await Clocks.open()];
  stack = await Stack.start('info', { ...store.environment, SIMULATION_URL: clocks.urlOf(clock) });
  const app = await createApp(stack, store.credentials, learningCatalog);
  appId = app.appId;
  const now = () => Date.now() + aheadMs;
  customers = new Customers({ gateways: () => stack.gateways, secretKey: app.secretKey, store, now }, seed);
}, patient);
afterAll(async () => {
  await stack?.stop();
  await Promise.all([store?.stop(), clocks?.close()]);
}, patient);

/** A moment of the run, up to `mostMs` long, that the seed decides. */
const moment = (purpose: string, mostMs: number) => sleep(Math.round(mostMs * uniform(seed, purpose)));

const published = async () => publishedOf(await recordsOf(stack, topics.selectionModels));
const keys = () => [...modelOfPlacement.values()].map((model) => modelKey({ appId, model }));

/** Lets hours pass for everybody: what was seen counts once it is an hour old. */
async function pass(hours: number): Promise<number> {
  aheadMs += hours * hourMs;
  clocks.set(clock, aheadMs);
  await sleep(1_500); // clocks are asked for every second
  return Date.now() + aheadMs;
}

/** The newest snapshot of every model, once all of them have learned of three more hours. */
async function learned(): Promise<ReadonlyMap<string, Published>> {
  const until = (await pass(3)) - hourMs;
  return eventually('all models learned of the last hours', async () => {
    const newest = [...(await published())].map(([key, all]) => [key, all.at(-1)!] as const);
    const isLearned = newest.filter(([, { learnedUntil }]) => learnedUntil > until).length === modelOfPlacement.size;
    return isLearned ? new Map(newest) : null;
  });
}

/** All that was ever published is what the log says, to the byte, and the log says what people did, no more, no less. */
async function expectLearnedByTheLog(): Promise<void> {
  const again = replayed(await recordsOf(stack, topics.selectionLearning));
  for (const [key, all] of await published()) {
    const sha256s = again.get(key)?.sha256s ?? [];
    expect(sha256s).toEqual(expect.arrayContaining(all.map(({ sha256 }) => sha256)));
  }
  const known = keys().map((key) => [key, again.get(key)?.learned]);
  const lived = [...customers.lived].map(([model, counts]) => [modelKey({ appId, model }), counts]);
  expect([...customers.lived.values()].every(({ exposures, starts }) => exposures > 20 && starts > 0)).toBe(true);
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(lived));
}

async function killAndStart(instance: number, strike: string): Promise<void> {
  await stack.killService('learner', instance);
  await moment(`${strike}/dead`, 1_000);
  await stack.startService('learner', instance);
}

describe('a learner that is killed', () => {
  it(
    'learns what its log says, and all that happened once',
    async () => {
      await customers.while(async () => {
        await moment('stopped', 3_000);
        await stack.restartService('learner'); // leaves a checkpoint, from which those that are killed go on
        for (const strike of ['first', 'second', 'third']) {
          await moment(`${strike}/alive`, 6_000);
          await killAndStart(0, strike);
        }
      });
      const passing = learned();
      await moment('last/alive', 3_000);
      await killAndStart(0, 'last');
      expect([...(await passing).keys()].sort()).toEqual(keys().sort());
      await expectLearnedByTheLog();
    },
    patient,
  );

  it(
    'publishes the same bytes again when it has nothing but the log',
    async () => {
      await stack.stopService('learner');
      const newest = new Map([...(await published())].map(([key, all]) => [key, all.at(-1)!.sha256]));
      await forgetAllLearned();
      await stack.startService('learner');
      await eventually('every model’s newest snapshot was made again', async () => {
        const kept = await keptSnapshots();
        return [...newest.values()].every((sha256) => kept.has(sha256)) ? true : null;
      });
    },
    patient,
  );
});

describe('two learners', () => {
  const partitionsOf = (instance: number, group: string) =>
    ownedPartitions(stack, { service: 'learner', instance, group });

  /** Every partition is one's, and the first has some or all of them. */
  const divided = (isShared: boolean) =>
    eventually(`two learners share: ${isShared}`, async () => {
      for (const [group, all] of [
        [groups.selectionTrainer, 6],
        [groups.selectionJoiner, 36],
      ] as const) {
        // prettier-ignore
        const [first, second] = [await partitionsOf(0, group), await partitionsOf(1, group)];
        if (first.length + second.length !== all || new Set([...first, ...second]).size !== all) return null;
        if (first.length === 0 || second.length > 0 !== isShared) return null;
      }
      return true;
    });

  it(
    'take partitions over from each other, and learn everything once',
    async () => {
      await customers.while(async () => {
        await stack.startService('learner', 1);
        await divided(true);
        await stack.killService('learner', 1);
        await divided(false);
        await stack.startService('learner', 1);
        await moment('two/alive', 6_000);
        await killAndStart(0, 'two');
      });
      await learned();
      await expectLearnedByTheLog();
    },
    patient,
  );
});

describe('two selection instances', () => {
  it(
    'serve what was learned last',
    async () => {
      await stack.startService('selection', 1);
      const partitionsOf = async (instance: number) => {
        const owned = await ownedPartitions(stack, { service: 'selection', instance, group: groups.selection });
        return owned.map((place) => Number(place.split('/')[1]));
      };
      const [owned, newest] = await customers.while(async () => {
        const both = await eventually('both have partitions', async () => {
          const found = [await partitionsOf(0), await partitionsOf(1)];
          return found.every(({ length }) => length > 0) ? found : null;
        });
        const snapshots = await learned();
        await sleep(6_000);
        return [both, snapshots] as const;
      });
      const all = await published();
      const chosen = chosenOf(await recordsOf(stack, topics.selectionEvents));
      const delays = [...newest].flatMap(([key, snapshot]) =>
        owned.map((partitions) => {
          const own = chosen.filter(({ partition }) => partitions.includes(partition));
          return servedAfterMs(snapshot, all.get(key) ?? [], own);
        }),
      );
      console.log(
        `Served by both, with the next request for the model: ms after it was published: ${delays.join(' ')}`,
      );
      expect(delays).not.toContain(null);
    },
    patient,
  );
});

async function withDatabase<Found>(use: (client: pg.Client) => Promise<Found>): Promise<Found> {
  const client = new pg.Client({ connectionString: stack.databaseUrl, options: '-c search_path=selection_learning' });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const forgetAllLearned = () =>
  withDatabase(async (client) => {
    await client.query('delete from checkpoint');
    await client.query('delete from model_snapshot');
    await client.query(`update consumer_offset set next_offset = 0 where topic = '${topics.selectionLearning}'`);
  });

const keptSnapshots = () =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ sha256: string }>('select sha256 from model_snapshot');
    return new Set(rows.map(({ sha256 }) => sha256));
  });
