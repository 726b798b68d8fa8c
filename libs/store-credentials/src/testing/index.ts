export * from './example-credentials.ts';
export * from './in-memory-credentials-book.ts';
