import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Sequencing from '@jest/test-sequencer';

const require = createRequire(import.meta.url);
const { default: BySize }: typeof Sequencing.default = require('@jest/test-sequencer');
type Tests = Parameters<InstanceType<typeof BySize>['sort']>[0];
type Shard = Parameters<InstanceType<typeof BySize>['shard']>[1];

/** The files that take 20 s and more, the longest first. */
export const longest = [
  'tests/faults/faults.e2e.spec.ts',
  'tests/together/product.e2e.spec.ts',
  'tests/faults/purchases/purchase-faults.e2e.spec.ts',
  'tests/torture/torture.e2e.spec.ts',
  'tests/newcomer/newcomer.e2e.spec.ts',
  'tests/together/stack.e2e.spec.ts',
  'libs/selection-engine/src/trainer/guard-of-delays.sim.spec.ts',
  'apps/learner/src/open-learner.int.spec.ts',
  'apps/learner/src/rebuilding/rebuilds.int.spec.ts',
  'apps/projection/src/rebuild/rebuild.int.spec.ts',
  'libs/messaging/src/producer/coalescing-producer.int.spec.ts',
  'libs/messaging/src/consumer/batch-consumer.int.spec.ts',
  'deploy/migrate/migrate.int.spec.ts',
  'libs/messaging/src/commands/command-client.int.spec.ts',
  'apps/purchase-validation/src/look-ups/store-histories.int.spec.ts',
  'libs/messaging/src/consumer/rebalance.int.spec.ts',
  'libs/messaging/src/read-partition.int.spec.ts',
];

/**
 * Jest's `testSequencer`: whatever begins last, one worker ends with it alone. Jest knows from the run before what takes
 * long; where there was none, as on a build machine, it goes by the size of files, which says nothing of the longest.
 */
export default class LongestFirst extends BySize {
  override async sort(tests: Tests): Promise<Tests> {
    const sorted = await super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((a, b) => rankOf(a.path) - rankOf(b.path));
  }

  /** Files that lie together load the same modules. Jest's own would draw lots. */
  override shard(tests: Tests, { shardIndex, shardCount }: Shard): Tests {
    const inOrder = tests.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const parts = evenParts(
      inOrder.map(({ path }) => statSync(path).size),
      shardCount,
    );
    return inOrder.filter((_, index) => parts[index] === shardIndex - 1);
  }
}

/** Cuts a list into parts of about the same weight. @returns of each its part, from 0 on and never falling */
export function evenParts(weights: readonly number[], count: number): readonly number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  return weights.map((weight) => {
    const middle = before + weight / 2;
    before += weight;
    return Math.floor((count * middle) / whole);
  });
}

/** The smaller the sooner. @param path of a test file */
export function rankOf(path: string): number {
  const rank = longest.findIndex((file) => path.endsWith(file));
  return rank === -1 ? longest.length : rank;
}
