import { createHash, randomBytes } from 'node:crypto';
import type { ApiKeyRecord } from '@paywright/contracts';

const beginnings = { secret: 'pw_sk_', public: 'pw_pk_' } as const;
const shownCharacters = 6;

/** A new key of 256 random bits, for its holder alone, and what everybody else may know of it. */
export function newApiKey(kind: ApiKeyRecord['kind']): { key: string; record: ApiKeyRecord } {
  const beginning = beginnings[kind];
  const key = `${beginning}${randomBytes(32).toString('base64url')}`;
  const sha256 = createHash('sha256').update(key).digest('hex');
  return { key, record: { kind, prefix: key.slice(0, beginning.length + shownCharacters), sha256 } };
}
