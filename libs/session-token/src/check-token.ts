import type { SessionClaims, TokenFault } from './session-claims.ts';

const shownWithinMs = 24 * 60 * 60 * 1000;
const toleranceMs = 60 * 1000;

/**
 * Why the claims of a verified token cannot be used for an event, or null. The app is looked at before the
 * age; only `paywall_shown` has one: 24 hours from the fetch, and a minute for clocks that differ.
 */
export function checkToken(
  claims: SessionClaims,
  { appId, eventType, now }: { appId: number; eventType: string; now: number },
): Extract<TokenFault, 'wrong-app' | 'expired'> | null {
  if (claims.appId !== appId) return 'wrong-app';
  const expired = now - claims.issuedAt > shownWithinMs + toleranceMs;
  return eventType === 'paywall_shown' && expired ? 'expired' : null;
}
