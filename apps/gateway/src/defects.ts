import { namedDefects } from '@paywright/platform';

/**
 * Faults that a test build can be given on purpose, so that the fault suite can show that it would catch them.
 * - `answer-as-jsonb`: the answer of an Idempotency-Key is kept as jsonb
 */
export const gatewayDefects = ['answer-as-jsonb'] as const;
export type GatewayDefects = ReadonlySet<(typeof gatewayDefects)[number]>;

export const gatewayDefectsFrom = (env: NodeJS.ProcessEnv): GatewayDefects => namedDefects(gatewayDefects, env);
