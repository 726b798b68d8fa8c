import type { JestEnvironment } from '@jest/environment';

/**
 * Jest's `testEnvironment`: none. `jest-test-runner.ts` imports test files into the worker's own realm, so a realm for
 * each file, with its globals, mocks and timers, would be made for nobody.
 */
export default class NoEnvironment {
  /** Where Jest keeps what it tells itself. */
  readonly global = {};
  /** Behind each file Jest puts back what its own mocks changed, which do not exist here. */
  readonly moduleMocker = { restoreAllMocks: (): void => undefined };
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;

  getVmContext(): ReturnType<JestEnvironment['getVmContext']> {
    return null;
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {}
}
