import { validationFailed } from '../../http/api-error.ts';

/**
 * The revision that must be stored for a write to happen, or null if any may: `"3"`, `3`, `*` or no header.
 * @throws ApiError VALIDATION_FAILED
 */
export function expectedRevision(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  const [, quoted, plain] = /^\s*(?:"(\d{1,15})"|(\d{1,15}))\s*$/.exec(ifMatch) ?? [];
  const revision = quoted ?? plain;
  if (revision === undefined) throw validationFailed('If-Match must be a revision such as "3", or *.');
  return Number(revision);
}
