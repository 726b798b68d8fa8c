export * from './catalog.ts';
export * from './published-samples.ts';
