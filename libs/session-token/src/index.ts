export * from './check-token.ts';
export * from './session-claims.ts';
export * from './session-tokens.ts';
