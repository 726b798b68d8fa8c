export * from './command-for.ts';
export * from './event-store-database.ts';
export { heldPersonal } from '../held-personal.ts';
export * from './in-memory-event-store.ts';
export * from './specification.ts';
