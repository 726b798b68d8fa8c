export * from './command-for.ts';
export * from './event-store-database.ts';
export * from './in-memory-event-store.ts';
export * from './specification.ts';
