const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  testMatch,
  testEnvironment: '<rootDir>/libs/testing/src/jest-environment.ts',
  testRunner: '<rootDir>/libs/testing/src/jest-test-runner.ts',
  transform: {}, // by the runner
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  ...extra,
});

/**
 * unit: nothing but the code · simulation: the same, by many draws or whole seeded worlds · integration: real
 * processes and sockets, a Postgres and a Kafka started for the run · system: the whole product, by its REST address ·
 * long: the same, for minutes; only when named.
 */
export default {
  // A bound for what hangs, not a measure: a busy machine takes its time. Of a project Jest would not take it.
  testTimeout: 180_000,
  testSequencer: '<rootDir>/libs/testing/src/jest-test-sequencer.ts',
  projects: [
    project('unit', ['<rootDir>/{apps,bench,libs,deploy,tests}/**/*.spec.ts'], {
      testPathIgnorePatterns: ['\\.(sim|int|e2e|long)\\.spec\\.ts$'],
    }),
    project('simulation', ['<rootDir>/{apps,libs,tests}/**/*.sim.spec.ts']),
    project('integration', ['<rootDir>/{apps,bench,libs,deploy,tests}/**/*.int.spec.ts'], {
      globalSetup: '<rootDir>/libs/testing/src/jest-global-setup.ts',
      globalTeardown: '<rootDir>/libs/testing/src/jest-global-teardown.ts',
    }),
    project('system', ['<rootDir>/tests/**/*.e2e.spec.ts']),
    project('long', ['<rootDir>/tests/**/*.long.spec.ts']),
  ],
};
