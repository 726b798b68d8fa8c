import { createHash, randomBytes } from 'node:crypto';
import type { ApiKeyRecord } from '@paywright/contracts';

/** How the keys of each kind begin. */
export const keyBeginnings = { secret: 'pw_sk_', public: 'pw_pk_' } as const;
const shownCharacters = 6;

/** What a text would be as a key, by its beginning: whether there is such a key, that does not tell. */
export function kindOfKey(text: string): ApiKeyRecord['kind'] | null {
  if (text.startsWith(keyBeginnings.secret)) return 'secret';
  return text.startsWith(keyBeginnings.public) ? 'public' : null;
}

/** A new key of 256 random bits, for its holder alone, and what everybody else may know of it. */
export function newApiKey(kind: ApiKeyRecord['kind']): { key: string; record: ApiKeyRecord } {
  const beginning = keyBeginnings[kind];
  const key = `${beginning}${randomBytes(32).toString('base64url')}`;
  const sha256 = createHash('sha256').update(key).digest('hex');
  return { key, record: { kind, prefix: key.slice(0, beginning.length + shownCharacters), sha256 } };
}
