import type { CredentialsSummaries, CredentialsSummary } from '@paywright/store-credentials';
import { isoTime } from '../iso-time.ts';

/** For which stores an app has credentials, and what each store last said of them. */
export const credentialsView = ({ appStore, playStore, stripe }: CredentialsSummaries) => ({
  appStore: viewOf(appStore),
  playStore: viewOf(playStore),
  stripe: viewOf(stripe),
});

function viewOf(summary: CredentialsSummary) {
  if (summary === null) return null;
  const { setAt, lastCheck } = summary;
  return { setAt: isoTime(setAt), lastCheck: lastCheck && { ...lastCheck, time: isoTime(lastCheck.time) } };
}
