import { z } from 'zod';

export const keyKinds = ['secret', 'public'] as const;

/** A key as everyone but its holder knows it. */
export const ApiKeyRecord = z.object({
  kind: z.enum(keyKinds).describe('Who may hold it: secret is for servers, public for apps'),
  prefix: z.string().min(1).max(16).describe('Its first characters'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the whole key, in hex'),
});
export type ApiKeyRecord = z.output<typeof ApiKeyRecord>;
