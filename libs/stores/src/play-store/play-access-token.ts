import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Clock } from '@paywright/platform';
import { OAuth2Client } from 'google-auth-library';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { readAnswer } from '../store-answer.ts';
import { StoreFault } from '../store-fault.ts';
import { googleTokenUri, type PlayServiceAccount } from './play-credentials.ts';

const scope = 'https://www.googleapis.com/auth/androidpublisher';
const assertionSeconds = 3600;
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export interface PlayAccessOptions {
  /** Token endpoints that a key file may name. One that names another is refused: it would choose whom we call. */
  readonly tokenUris: readonly string[];
  /** The machine's own clock: Google stamps tokens by it, and so does google-auth-library. Never a moved one. */
  readonly wallClock: Clock;
  /** For one call, the exchange included. */
  readonly timeoutMs: number;
}

type Exchange = () => Promise<{ access_token: string; expiry_date: number }>;

/**
 * Signs in as a service account. The library's own way takes no token endpoint but Google's, so the exchange of a
 * signed assertion for an access token is done here; calls that need one at the same time share one exchange.
 * @see RFC 7523, sections 2.1 and 3
 */
export function playAuthorization(account: PlayServiceAccount, options: PlayAccessOptions): OAuth2Client {
  const client = new OAuth2Client();
  client.refreshHandler = singleFlight(() => exchange(account, options));
  return client;
}

/** Forgets the access token, so that the next call asks for a new one: for a token that Google refused. */
export function forgetAccessToken(client: OAuth2Client): void {
  client.setCredentials({});
}

function singleFlight(exchange: Exchange): Exchange {
  let running: ReturnType<Exchange> | null = null;
  return () => {
    running ??= exchange().finally(() => {
      running = null;
    });
    return running;
  };
}

async function exchange(account: PlayServiceAccount, { tokenUris, wallClock, timeoutMs }: PlayAccessOptions) {
  const tokenUri = account.token_uri ?? googleTokenUri;
  if (!tokenUris.includes(tokenUri))
    throw new StoreFault(
      'unavailable',
      'The key file of the service account names a token endpoint that is not allowed.',
    );
  const now = wallClock.now();
  const assertion = await signAssertion(account, tokenUri, Math.floor(now / 1000));
  const answer = readAnswer('Google', TokenAnswer, await post(tokenUri, assertion, timeoutMs));
  return { access_token: answer.access_token, expiry_date: now + answer.expires_in * 1000 };
}

function signAssertion(account: PlayServiceAccount, tokenUri: string, nowSeconds: number): Promise<string> {
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(account.private_key_id && { kid: account.private_key_id }) })
    .setIssuer(account.client_email)
    .setAudience(tokenUri)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + assertionSeconds)
    .sign(privateKey(account));
}

function privateKey(account: PlayServiceAccount): KeyObject {
  try {
    const key = createPrivateKey(account.private_key);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // What node says of the key may show parts of it.
  }
  throw new StoreFault('unavailable', 'The private key of the service account is not an RSA key in PEM.');
}

async function post(tokenUri: string, assertion: string, timeoutMs: number): Promise<unknown> {
  const body = new URLSearchParams({ grant_type: grantType, assertion });
  const request = { method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) } as const;
  const { status, text } = await fetch(tokenUri, request)
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => {
      throw new StoreFault('unavailable', 'The token endpoint of Google did not answer.');
    });
  if (status !== 200)
    throw new StoreFault(
      'unavailable',
      `The token endpoint of Google refused the service account with status ${status}.`,
    );
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new StoreFault('unavailable', 'An answer of Google has a form that is not its own.');
  }
}
