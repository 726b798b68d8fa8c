import type { AppSnapshot } from '@paywright/contracts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';

/** An app with its keys: of a key, only how it begins. */
export const appView = ({ appId, name, createdAt, keys }: AppSnapshot): object => ({
  id: appId,
  name,
  createdAt: isoTime(createdAt),
  keys: keys.map(({ keyId, kind, prefix, createdAt: issuedAt, revokedAt }) => ({
    id: keyId,
    kind,
    prefix,
    createdAt: isoTime(issuedAt),
    revokedAt: isoTimeOrNull(revokedAt),
  })),
});
