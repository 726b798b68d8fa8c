import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { groups, topics } from '@paywright/contracts';
import { uniform } from '@paywright/selection-engine';
import { ownedPartitions } from '../stack/owned-partitions.ts';
import { recordsOf } from '../stack/raw-topics.ts';
import { modelOfPlacement } from './catalog.ts';
import { eventually } from './eventually.ts';
import { LearningWorld } from './learning-world.ts';
import { replayed } from './replayed.ts';
import { chosenOf, servedAfterMs } from './served.ts';

const seed = process.env['FAULT_SEED'] ?? 'paywright';
const patient = 240_000;

let world: LearningWorld;
beforeAll(async () => {
  world = await LearningWorld.open(seed);
}, patient);
afterAll(() => world?.close(), patient);

/** A moment of the run, up to `mostMs` long, that the seed decides. */
const moment = (purpose: string, mostMs: number) => sleep(Math.round(mostMs * uniform(seed, purpose)));

/** All that was ever published is what the log says, to the byte, and the log says what people did, no more, no less. */
async function expectLearnedByTheLog(): Promise<void> {
  const again = replayed(await recordsOf(world.stack, topics.selectionLearning));
  for (const [key, all] of await world.published()) {
    const sha256s = again.get(key)?.sha256s ?? [];
    expect(sha256s).toEqual(expect.arrayContaining(all.map(({ sha256 }) => sha256)));
  }
  const { lived } = world;
  expect(Object.values(lived).every(({ exposures, starts }) => exposures > 20 && starts > 0)).toBe(true);
  const learned = Object.keys(lived).map((key) => [key, again.get(key)?.learned]);
  expect(Object.fromEntries(learned)).toEqual(lived);
}

async function killAndStart(instance: number, strike: string): Promise<void> {
  await world.stack.killService('learner', instance);
  await moment(`${strike}/dead`, 1_000);
  await world.stack.startService('learner', instance);
}

describe('a learner that is killed', () => {
  it(
    'learns what its log says, and all that happened once',
    async () => {
      await world.customers.while(async () => {
        await moment('stopped', 3_000);
        await world.stack.restartService('learner'); // leaves a checkpoint, from which those that are killed go on
        for (const strike of ['first', 'second', 'third']) {
          await moment(`${strike}/alive`, 6_000);
          await killAndStart(0, strike);
        }
      });
      const passing = world.learned();
      await moment('last/alive', 3_000);
      await killAndStart(0, 'last');
      expect([...(await passing).keys()].sort()).toEqual(Object.keys(world.lived).sort());
      await expectLearnedByTheLog();
    },
    patient,
  );

  it(
    'publishes the same bytes again when it has nothing but the log',
    async () => {
      await world.stack.stopService('learner');
      const newest = [...(await world.published()).values()].map((all) => all.at(-1)!.sha256);
      await world.forgetAllLearned();
      await world.stack.startService('learner');
      await eventually('every model’s newest snapshot was made again', async () => {
        const kept = await world.keptSnapshots();
        return newest.every((sha256) => kept.has(sha256)) ? true : null;
      });
    },
    patient,
  );
});

describe('two learners', () => {
  const partitionsOf = (instance: number, group: string) =>
    ownedPartitions(world.stack, { service: 'learner', instance, group });

  /** Every partition is one's, and the first has some or all of them. */
  const divided = (isShared: boolean) =>
    eventually(`two learners share: ${isShared}`, async () => {
      const partitions = { [groups.selectionTrainer]: 6, [groups.selectionJoiner]: 36 };
      for (const [group, all] of Object.entries(partitions)) {
        const [first, second] = [await partitionsOf(0, group), await partitionsOf(1, group)];
        if (first.length + second.length !== all || new Set([...first, ...second]).size !== all) return null;
        if (first.length === 0 || second.length > 0 !== isShared) return null;
      }
      return true;
    });

  it(
    'take partitions over from each other, and learn everything once',
    async () => {
      await world.customers.while(async () => {
        await world.stack.startService('learner', 1);
        await divided(true);
        await world.stack.killService('learner', 1);
        await divided(false);
        await world.stack.startService('learner', 1);
        await moment('two/alive', 6_000);
        await killAndStart(0, 'two');
      });
      await world.learned();
      await expectLearnedByTheLog();
    },
    patient,
  );
});

describe('two selection instances', () => {
  /** Those of both, by number, once both have some: a decision is published in the partition of its command. */
  const partitionsOfBoth = () =>
    eventually('both have partitions', async () => {
      const group = groups.selection;
      const owned = await Promise.all(
        [0, 1].map((instance) => ownedPartitions(world.stack, { service: 'selection', instance, group })),
      );
      const numbers = owned.map((places) => places.map((place) => Number(place.split('/')[1])));
      return numbers.every(({ length }) => length > 0) ? numbers : null;
    });
  const chosen = async () => chosenOf(await recordsOf(world.stack, topics.selectionEvents));

  it(
    'serve what was learned last',
    async () => {
      await world.stack.startService('selection', 1);
      const [owned, newest] = await world.customers.while(async () => {
        const both = await partitionsOfBoth();
        const snapshots = await world.learned();
        await sleep(6_000);
        return [both, snapshots] as const;
      });
      const [all, choices] = [await world.published(), await chosen()];
      const delays = [...newest].flatMap(([key, snapshot]) =>
        owned.map((partitions) => {
          const own = choices.filter(({ partition }) => partitions.includes(partition));
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

  it(
    'leave AI what a person says, and learn on by the same log',
    async () => {
      const models = [...modelOfPlacement.values()];
      for (const model of models) {
        expect(await world.ofModel(model, 'PUT', '/ai-share', { aiShare: 0 })).toEqual({ id: model, aiShare: 0 });
        const change = { type: 'ModelShareLimited', actor: 'faults', formerAiShare: 1, aiShare: 0 };
        const view = { guardrail: { aiShare: 0 }, changes: [change] };
        expect(await world.ofModel(model, 'GET')).toMatchObject(view);
      }
      await sleep(1_000); // both are told by a topic
      const before = (await chosen()).length;
      const [exposures] = Object.values(world.lived).map((lived) => lived.exposures);
      await world.customers.while(() => sleep(3_000));
      // Where AI has no traffic, nothing is weighed: who came met Baseline.
      expect(Object.values(world.lived)[0]!.exposures).toBeGreaterThan(exposures!);
      expect((await chosen()).length).toBe(before);

      for (const model of models) await world.ofModel(model, 'PUT', '/ai-share', { aiShare: 0.5 });
      await sleep(1_000);
      const since = Date.now();
      await world.customers.while(() => sleep(3_000));
      const weights = (await chosen()).filter(({ storedAt }) => storedAt >= since).map(({ aiWeight }) => aiWeight);
      expect(new Set(weights)).toEqual(new Set([45]));
      await world.learned();
      await expectLearnedByTheLog();
    },
    patient,
  );
});
