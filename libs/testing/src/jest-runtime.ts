import type { TestRuntime } from './test-runtime.ts';

declare global {
  // Jest loads set-up and tear-down as modules of their own: they have only the global object in common.
  var paywrightTestRuntime: TestRuntime | undefined;
}

export function keepForTeardown(runtime: TestRuntime): void {
  globalThis.paywrightTestRuntime = runtime;
}

export function takeKept(): TestRuntime | undefined {
  const runtime = globalThis.paywrightTestRuntime;
  globalThis.paywrightTestRuntime = undefined;
  return runtime;
}
