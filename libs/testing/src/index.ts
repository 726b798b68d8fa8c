export { freePort, loopback } from '@paywright/deploy/local/free-ports.ts';
export { startTestRuntime, type TestRuntime, type TestRuntimeParts } from './test-runtime.ts';
export { testDatabase, type TestDatabase } from './test-database.ts';
export { testTopics, type TestTopics } from './test-topics.ts';
export { startProduct, type Product, type ProductOptions } from './product.ts';
