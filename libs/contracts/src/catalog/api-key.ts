import { z } from 'zod';

export const keyKinds = ['secret', 'public'] as const;

/** A key as everyone but its holder knows it: its first characters and the hex SHA-256 of the whole. */
export const ApiKeyRecord = z.object({
  kind: z.enum(keyKinds),
  prefix: z.string().min(1).max(16),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ApiKeyRecord = z.output<typeof ApiKeyRecord>;
