import type { KeyObject } from 'node:crypto';
import { jwtVerify } from 'jose';

const scope = 'https://www.googleapis.com/auth/androidpublisher';
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Why Google's token endpoint refuses an exchange, as the body of its 400; null if it does not.
 * @param now milliseconds since the epoch, by the machine's clock: assertions are stamped by it
 * @see RFC 7523, section 2.1
 */
export async function refusePlayAssertion(
  form: URLSearchParams,
  account: { clientEmail: string; publicKey: KeyObject; tokenUri: string; now: number },
): Promise<object | null> {
  const { clientEmail: issuer, publicKey, tokenUri: audience, now } = account;
  try {
    const expected = { issuer, audience, algorithms: ['RS256'], currentDate: new Date(now), maxTokenAge: '1h' };
    const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, expected);
    return payload['scope'] === scope && form.get('grant_type') === grantType ? null : { error: 'invalid_scope' };
  } catch {
    return { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' };
  }
}
