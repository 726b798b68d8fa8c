export * from './catalog-queries.ts';
export * from './database.ts';
export * from './decision-queries.ts';
export { InvalidCursor, type Page, type PageRequest } from './page.ts';
export * from './profile-queries.ts';
export * from './purchase-queries.ts';
export * from './read-model-progress.ts';
export * from './rows.ts';
export * from './timeline-queries.ts';
