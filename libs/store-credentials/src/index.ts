export * from './credentials-summary.ts';
export * from './store-access.ts';
export * from './store-credentials-book.ts';
export * from './stored-credentials.ts';
