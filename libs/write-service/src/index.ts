export * from './command-batch-handler.ts';
export * from './start-write-service.ts';
export * from './write-service.ts';
