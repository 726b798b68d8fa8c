import { createPublicKey, generateKeyPairSync, KeyObject, randomUUID } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import { type LoopbackAnswer, LoopbackServer } from './loopback-server.ts';

/** A notification of Google's, as it is inside the message: one of the parts of section "RTDN reference". */
export type PlayDeveloperNotification = Readonly<Record<string, unknown>>;

/** Claims of a push token, in place of Google's. */
export type PlayPushClaims = Readonly<Record<string, unknown>>;

/** Signs push tokens as Google's Pub/Sub does, and publishes its keys on loopback. */
export class PlayPushIssuer {
  readonly #http: LoopbackServer;
  readonly #keys: ReadonlyMap<string, KeyObject>;

  private constructor(http: LoopbackServer, keys: ReadonlyMap<string, KeyObject>) {
    this.#http = http;
    this.#keys = keys;
  }

  static async start(): Promise<PlayPushIssuer> {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const kid = randomUUID();
    const keys: LoopbackAnswer = { status: 200, body: await playPushKeys(kid, publicKey) };
    return new PlayPushIssuer(await LoopbackServer.start(() => keys), new Map([[kid, privateKey]]));
  }

  /** Where the keys are. */
  get keysUrl(): string {
    return `${this.#http.url}/oauth2/v3/certs`;
  }
  get faults() {
    return this.#http.faults;
  }
  stop(): Promise<void> {
    return this.#http.stop();
  }

  /**
   * A push token that lives for an hour.
   * @param now milliseconds since the epoch
   * @param claims replace Google's; one that is undefined is left out
   */
  async token(
    { audience, email, now }: { audience: string; email: string; now: number },
    claims: PlayPushClaims = {},
  ): Promise<string> {
    const [[kid, key] = []] = this.#keys;
    if (!kid || !key) throw new Error('The issuer has no key.');
    return signPlayPushToken({ kid, key, audience, email, now }, claims);
  }
}

/** The set of keys in which Google publishes one. @param publicKey SPKI in PEM, or the key */
export const playPushKeys = async (kid: string, publicKey: string | KeyObject) => ({
  keys: [
    {
      ...(await exportJWK(publicKey instanceof KeyObject ? publicKey : createPublicKey(publicKey))),
      kid,
      alg: 'RS256',
      use: 'sig',
    },
  ],
});

/** A push token as Google signs it, which lives for an hour. */
export function signPlayPushToken(
  token: { kid: string; key: KeyObject; audience: string; email: string; now: number },
  claims: PlayPushClaims = {},
): Promise<string> {
  const { kid, key, audience: aud, email, now } = token;
  const iat = Math.floor(now / 1000);
  const google = { iss: 'https://accounts.google.com', aud, sub: '1', azp: '1', email, email_verified: true };
  return new SignJWT({ ...google, iat, exp: iat + 3600, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .sign(key);
}

/** The body that Pub/Sub pushes for a notification. */
export function playPushBody(
  packageName: string,
  notification: PlayDeveloperNotification,
  { messageId, publishedAt }: { messageId: string; publishedAt: number },
) {
  const inner = { version: '1.0', packageName, eventTimeMillis: String(publishedAt), ...notification };
  return {
    message: {
      attributes: {},
      data: Buffer.from(JSON.stringify(inner)).toString('base64'),
      messageId,
      publishTime: new Date(publishedAt).toISOString(),
    },
    subscription: 'projects/example-project/subscriptions/play',
  };
}
