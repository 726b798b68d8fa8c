import { type Clock, SystemClock } from '@paywright/platform';
import {
  createRemoteJWKSet,
  errors,
  jwksCache,
  type JWKSCacheInput,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { StoreFault } from '../store-fault.ts';

/** Where Google publishes the keys that it signs push tokens with. */
export const googleKeysUrl = 'https://www.googleapis.com/oauth2/v3/certs';

const issuers = ['https://accounts.google.com', 'accounts.google.com'];

/** jose has no other. */
const wallClock = new SystemClock();

/**
 * Google's public keys: fetched when needed, kept for ten minutes. One for all apps of a process. jose goes by the
 * machine's clock: where that was set back by an hour, it would look for no new key for an hour.
 */
export function googleKeys(url: string, timeoutMs: number): JWTVerifyGetKey {
  const fetched = {} as JWKSCacheInput;
  const keys = createRemoteJWKSet(new URL(url), { timeoutDuration: timeoutMs, [jwksCache]: fetched });
  return async (header, token) => {
    if ('uat' in fetched && fetched.uat > wallClock.now()) await keys.reload();
    return keys(header, token);
  };
}

/** Who may push to us, as the app's owner named it. */
export interface PlayPushIdentity {
  readonly pushAudience?: string | null | undefined;
  readonly pushServiceAccountEmail?: string | null | undefined;
}

/**
 * Passes if the push comes from this app's Pub/Sub subscription: signed by Google, for our audience, in the name of
 * the one account that the app named. A token of any other account of Google's is worth nothing.
 * @param authorization the header as it came
 * @throws StoreFault notification-unauthorized; not-configured; unavailable if Google's keys cannot be had
 */
export async function verifyPlayPush(
  authorization: string | undefined,
  { pushAudience, pushServiceAccountEmail }: PlayPushIdentity,
  { keys, clock }: { keys: JWTVerifyGetKey; clock: Clock },
): Promise<void> {
  if (!pushAudience || !pushServiceAccountEmail)
    throw new StoreFault('not-configured', 'The app has not said who pushes its notifications of Google Play.');
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new StoreFault('notification-unauthorized', 'The push carries no token.');
  const claims = await verify(token, keys, pushAudience, clock);
  if (claims['email_verified'] !== true || claims['email'] !== pushServiceAccountEmail)
    throw new StoreFault('notification-unauthorized', 'The push token is of another account.');
}

async function verify(token: string, keys: JWTVerifyGetKey, audience: string, clock: Clock): Promise<JWTPayload> {
  const currentDate = new Date(clock.now());
  const expected = { issuer: issuers, audience, algorithms: ['RS256'], currentDate, requiredClaims: ['exp', 'iat'] };
  try {
    return (await jwtVerify(token, keys, expected)).payload;
  } catch (error) {
    if (isVerdict(error)) throw new StoreFault('notification-unauthorized', 'The push token does not hold.');
    throw new StoreFault('unavailable', 'The keys that Google signs push tokens with cannot be had.');
  }
}

/** Whether the error is about the token. A key set that is late, or no key set, is not: nor is what fetch throws. */
function isVerdict(error: unknown): boolean {
  const isOfKeySet = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  return error instanceof errors.JOSEError && !isOfKeySet && error.code !== 'ERR_JOSE_GENERIC';
}
