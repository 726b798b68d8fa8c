import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setTestGlobals } from './jest-globals.ts';
import { compileImports } from './jest-imports.ts';

/** What is called of Jest's own way of loading a test file. */
interface Loading {
  requireInternalModule(path: string): unknown;
  unstable_shouldLoadAsEsm(path: string): boolean;
  unstable_importModule(path: string): Promise<unknown>;
  setGlobalsForRuntime: typeof setTestGlobals;
}
type TestRunner = (
  globalConfig: unknown,
  config: unknown,
  environment: unknown,
  runtime: Loading,
  testPath: string,
  sendMessageToJest: unknown,
) => Promise<unknown>;

const require = createRequire(import.meta.url);
const { default: circus }: { default: TestRunner } = require('jest-circus/runner');
compileImports();

/**
 * Jest's `testRunner`: its own, except that test files are imported by Node. A worker loads a module once, for all of
 * its files, and in its own realm; Jest's sandboxes load it anew for each, and are slow to look up every global.
 */
const runNatively: TestRunner = (globalConfig, config, environment, runtime, testPath, sendMessageToJest) => {
  // Jest's knows only the files it has loaded itself; Node's reads the source maps.
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  Error.stackTraceLimit = 10; // every expect() takes a stack; Jest asks for 100 frames
  const loading: Loading = {
    requireInternalModule: requireAnew,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => import(pathToFileURL(path).href),
    setGlobalsForRuntime: setTestGlobals,
  };
  const native: Loading = Object.assign(Object.create(runtime), loading);
  return circus(globalConfig, config, environment, native, testPath, sendMessageToJest);
};
export default runNatively;

/** Jest's framework keeps the tests of one file in its module, and who listens to them in the global object. */
function requireAnew(path: string): unknown {
  delete require.cache[path];
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  return require(path);
}
