import type * as Jest from '@jest/globals';

/** What a test file may import of `@jest/globals`. Fakes are Node's: `mock` of `node:test`. */
export type TestGlobals = Pick<
  typeof Jest,
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'it' | 'test'
>;

export let afterAll: TestGlobals['afterAll'];
export let afterEach: TestGlobals['afterEach'];
export let beforeAll: TestGlobals['beforeAll'];
export let beforeEach: TestGlobals['beforeEach'];
export let describe: TestGlobals['describe'];
export let expect: TestGlobals['expect'];
export let it: TestGlobals['it'];
export let test: TestGlobals['test'];

/** Each test file has its own. Modules that outlive it see the next one's: an import follows the variable. */
export function setTestGlobals(globals: TestGlobals): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals);
}
