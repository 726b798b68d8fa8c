import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mock } from 'node:test';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { type JWTPayload, type JWTVerifyGetKey, SignJWT } from 'jose';
import { StoreFault } from '../store-fault.ts';
import { LoopbackServer } from '../testing/loopback-server.ts';
import { type PlayPushClaims, PlayPushIssuer, playPushKeys, signPlayPushToken } from '../testing/play-push.ts';
import { googleKeys, verifyPlayPush } from './play-push-token.ts';

const now = Date.UTC(2026, 10, 20, 12);
const clock = new ManualClock(now);
const audience = 'https://gateway.example.com/notifications/1/play-store';
const email = 'push@p.iam';
const identity = { pushAudience: audience, pushServiceAccountEmail: email };

let issuer: PlayPushIssuer;
let keys: JWTVerifyGetKey;
beforeAll(async () => {
  issuer = await PlayPushIssuer.start();
  keys = googleKeys(issuer.keysUrl, 1000);
});
afterAll(() => issuer.stop());
afterEach(() => mock.restoreAll());

const token = (claims: PlayPushClaims = {}) => issuer.token({ audience, email, now }, claims);
const verdict = async (
  authorization: string | undefined,
  options: { of?: typeof identity; with?: JWTVerifyGetKey } = {},
) => {
  try {
    await verifyPlayPush(authorization, options.of ?? identity, { keys: options.with ?? keys, clock });
    return 'taken';
  } catch (error) {
    if (!(error instanceof StoreFault)) return 'no store fault';
    expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(/eyJ|push@/);
    return error.kind;
  }
};

describe('verifyPlayPush', () => {
  it('takes a push of the account that the app named, of either spelling of the issuer', async () => {
    expect(await verdict(`Bearer ${await token()}`)).toBe('taken');
    expect(await verdict(`Bearer ${await token({ iss: 'accounts.google.com' })}`)).toBe('taken');
  });

  it.each<[string, PlayPushClaims]>([
    ['another audience', { aud: 'https://gateway.example.com/notifications/2/play-store' }],
    ['no audience', { aud: undefined }],
    ['another account of Google’s', { email: 'stranger@q.iam' }],
    ['no account', { email: undefined }],
    ['an address that is not verified', { email_verified: false }],
    ['an address verified in words', { email_verified: 'true' }],
    ['another issuer', { iss: 'https://googleapis.com' }],
    ['no issuer', { iss: undefined }],
    ['no end', { exp: undefined }],
    ['an end that is just past', { exp: now / 1000 }],
    ['a beginning that is to come', { nbf: now / 1000 + 1 }],
  ])('refuses one with %s', async (_, claims) => {
    expect(await verdict(`Bearer ${await token(claims)}`)).toBe('notification-unauthorized');
  });

  it('judges the end by the clock that it is given, to the second', async () => {
    expect(await verdict(`Bearer ${await token({ exp: now / 1000 + 1 })}`)).toBe('taken');
  });

  it('refuses a push without a token, and what is none', async () => {
    const good = await token();
    for (const header of [undefined, '', 'Bearer ', good, `Basic ${good}`, `Bearer ${good} ${good}`, 'Bearer a.b.c'])
      expect(await verdict(header)).toBe('notification-unauthorized');
  });

  it('refuses every other signature', async () => {
    const [header = '', payload = '', signature = ''] = (await token()).split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
    const signed = (alg: string, key: KeyObject | Uint8Array, keyId: string) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid: keyId }).sign(key);
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const altered = Buffer.from(JSON.stringify({ ...claims, sub: '2' })).toString('base64url');
    const forged = [
      await signed('RS256', stranger, kid),
      await signed('RS256', stranger, 'unknown'),
      await signed('HS256', Buffer.alloc(32, 1), kid),
      await signed('PS256', stranger, kid),
      `${Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')}.${payload}.`,
      `${header}.${altered}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    ];
    for (const each of forged) expect(await verdict(`Bearer ${each}`)).toBe('notification-unauthorized');
  });

  it('refuses everything while the app has not said who pushes', async () => {
    const header = `Bearer ${await token()}`;
    expect(await verdict(header, { of: { ...identity, pushAudience: '' } })).toBe('not-configured');
    expect(await verdict(header, { of: { ...identity, pushServiceAccountEmail: '' } })).toBe('not-configured');
  });

  it('learns of new keys of Google’s also where the machine’s clock was set back since it fetched them', async () => {
    const pairs = ['former', 'newest'].map((kid) => ({ kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) }));
    const published = await Promise.all(pairs.map(({ kid, publicKey }) => playPushKeys(kid, publicKey)));
    const google = await LoopbackServer.start(() => ({ status: 200, body: published[0]! }));
    const fetched = googleKeys(google.url, 1_000);
    const verdicts = () =>
      Promise.all(
        pairs.map(async ({ kid, privateKey: key }) => {
          const signed = await signPlayPushToken({ kid, key, audience, email, now });
          return verdict(`Bearer ${signed}`, { with: fetched });
        }),
      );
    expect(await verdicts()).toEqual(['taken', 'notification-unauthorized']);

    published.shift();
    const fetchedAt = Date.now();
    mock.method(Date, 'now', () => fetchedAt - 3_600_000);
    expect(await verdicts()).toEqual(['notification-unauthorized', 'taken']);
    await google.stop();
  });

  it.each(['broken', 'html', 'garbage', 'slow', 'reset'] as const)(
    'asks for the push again when Google’s keys are %s',
    async (kind) => {
      issuer.faults.push({ kind });
      expect(await verdict(`Bearer ${await token()}`, { with: googleKeys(issuer.keysUrl, 100) })).toBe('unavailable');
    },
  );
});
