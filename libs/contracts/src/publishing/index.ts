export * from './asyncapi.ts';
export * from './incompatible-changes.ts';
export * from './json-schemas.ts';
