export * from './command-processor.ts';
export * from './database-check.ts';
export * from './decider.ts';
export * from './defects.ts';
export * from './event-store.ts';
export { gathering } from './gathering.ts';
export * from './pool.ts';
export * from './postgres-event-store.ts';
export type { Upcaster } from './upcasting.ts';
