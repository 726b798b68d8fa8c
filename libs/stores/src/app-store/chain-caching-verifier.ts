import { X509Certificate, type KeyObject } from 'node:crypto';
import {
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
  type Environment,
} from '@apple/app-store-server-library';
import type { Clock } from '@paywright/platform';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { VerifierSettings } from './app-store-settings.ts';
import { isSignedByEs256 } from './es256.ts';

const { RETRYABLE_VERIFICATION_FAILURE, VERIFICATION_FAILURE } = VerificationStatus;

/** How long a certificate that its issuer called good is not asked for again. */
const goodForMs = 15 * 60 * 1000;
const chainsKept = 32;

/** A chain that was verified: its key, the dates between which its certificates hold, and for how long we say so. */
interface TrustedChain {
  readonly key: KeyObject;
  readonly from: number;
  readonly to: number;
  readonly until: number;
}

/** What the library asks of a payload's fields; it does not export the type. */
interface Validator<T> {
  validate(payload: unknown): payload is T;
}

/**
 * Apple's verifier with a chain cache of our own: the library's (3.1.0) fails on the 33rd chain, has none without
 * online checks, and judges by the machine's clock. It also parses two certificates, writes a key as PEM and reads it
 * again for each signature, which takes five times as long as the signature. Signatures and payloads are checked each
 * time, and ES256 is the only algorithm that is believed.
 */
export class ChainCachingVerifier extends SignedDataVerifier {
  readonly #clock: Clock;
  /** By the text of their header, which is the same in all that one leaf signs. */
  readonly #chains = new LRUCache<string, TrustedChain>({ max: chainsKept });

  /** @throws Error if a root certificate cannot be read */
  constructor(
    app: { readonly bundleId: string; readonly appAppleId: number },
    environment: Environment.PRODUCTION | Environment.SANDBOX,
    { rootCertificates, onlineChecks }: VerifierSettings,
    clock: Clock,
  ) {
    super([...rootCertificates], onlineChecks, environment, app.bundleId, app.appAppleId);
    this.#clock = clock;
    // The library's own (3.1.0) reads no date that ends in Z, as all do, and takes an answer without dates for fresh.
    Reflect.defineProperty(this, 'parseX509Date', { value: dateOfOcsp });
  }

  protected override async verifyJWT<T>(
    jws: string,
    validator: Validator<T>,
    signedDateOf: (payload: T) => Date,
  ): Promise<T> {
    const [header = '', body = '', signature = ''] = jws.split('.');
    const payload = jsonOf(body);
    if (!validator.validate(payload)) throw new VerificationException(VerificationStatus.FAILURE);
    const key = await this.#keyOf(header, () => signedDateOf(payload).getTime());
    const isSigned = isSignedByEs256(Buffer.from(`${header}.${body}`), Buffer.from(signature, 'base64url'), key);
    if (!isSigned) throw new VerificationException(VERIFICATION_FAILURE);
    return payload;
  }

  /** The key of a header's chain, which leads to one of our roots. Only a chain that was verified is kept. */
  async #keyOf(header: string, signedAt: () => number): Promise<KeyObject> {
    const now = this.#clock.now();
    const at = this.enableOnlineChecks ? now : signedAt();
    const known = this.#chains.get(header);
    if (known && now < known.until && known.from <= at && at <= known.to) return known.key;
    const [leafText, intermediateText] = chainOf(header);
    const leaf = certificateOf(leafText);
    const intermediate = certificateOf(intermediateText);
    const roots = this.rootCertificates;
    const key = await this.verifyCertificateChainWithoutCaching(roots, leaf, intermediate, new Date(at));
    const certificates = [leaf, intermediate, ...roots.filter(({ subject }) => subject === intermediate.issuer)];
    this.#chains.set(header, {
      key,
      from: Math.max(...certificates.map(({ validFrom }) => Date.parse(validFrom))),
      to: Math.min(...certificates.map(({ validTo }) => Date.parse(validTo))),
      until: this.enableOnlineChecks ? now + goodForMs : Infinity,
    });
    return key;
  }

  /** What an issuer answers that is no answer at all, a proxy's page say, is its silence and not the signer's fault. */
  protected override async checkOCSPStatus(certificate: X509Certificate, issuer: X509Certificate): Promise<void> {
    try {
      await super.checkOCSPStatus(certificate, issuer);
    } catch (error) {
      throw new VerificationException(isSilence(error) ? RETRYABLE_VERIFICATION_FAILURE : VERIFICATION_FAILURE);
    }
  }
}

const isSilence = (error: unknown): boolean =>
  !(error instanceof VerificationException) || error.status === RETRYABLE_VERIFICATION_FAILURE;

/**
 * A date of an answer about revocations: GeneralizedTime in UTC to the second (RFC 6960, RFC 5280 4.1.2.5.2).
 * @throws VerificationException if it is none
 */
function dateOfOcsp(text: string): Date {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const [year = NaN, month = NaN, ...rest] = parts.map(Number);
  const date = new Date(Date.UTC(year, month - 1, ...rest));
  if (Number.isNaN(date.getTime())) throw new VerificationException(VerificationStatus.FAILURE);
  return date;
}

/** Leaf, intermediate, root, in DER as base64; of the root ours counts. */
const X5c = z.tuple([z.string(), z.string(), z.string()]);
const Header = z.object({ alg: z.literal('ES256'), x5c: X5c });

/** @throws VerificationException if it is no header of ours: any other algorithm is not believed */
function chainOf(header: string): z.output<typeof X5c> {
  const { data } = Header.safeParse(jsonOf(header));
  if (!data) throw new VerificationException(VERIFICATION_FAILURE);
  return data.x5c;
}

/** @throws VerificationException */
function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    throw new VerificationException(VERIFICATION_FAILURE);
  }
}

/** @throws VerificationException */
function certificateOf(text: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch {
    throw new VerificationException(VerificationStatus.INVALID_CERTIFICATE);
  }
}
