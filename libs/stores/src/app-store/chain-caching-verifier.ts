import type { KeyObject, X509Certificate } from 'node:crypto';
import {
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
  type Environment,
} from '@apple/app-store-server-library';
import type { Clock } from '@paywright/platform';
import { LRUCache } from 'lru-cache';
import type { VerifierSettings } from './app-store-settings.ts';

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

/**
 * Apple's verifier with a chain cache of our own: the library's (3.1.0) fails on the 33rd chain, has none without
 * online checks, and judges by the machine's clock. Signatures and payloads are checked each time.
 */
export class ChainCachingVerifier extends SignedDataVerifier {
  readonly #clock: Clock;
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
  }

  protected override async verifyCertificateChain(
    roots: X509Certificate[],
    leaf: X509Certificate,
    intermediate: X509Certificate,
    signedDate: Date,
  ): Promise<KeyObject> {
    const now = this.#clock.now();
    const at = this.enableOnlineChecks ? now : signedDate.getTime();
    const name = leaf.fingerprint256 + intermediate.fingerprint256;
    const known = this.#chains.get(name);
    if (known && now < known.until && known.from <= at && at <= known.to) return known.key;
    const key = await this.verifyCertificateChainWithoutCaching(roots, leaf, intermediate, new Date(at));
    const certificates = [leaf, intermediate, ...roots.filter(({ subject }) => subject === intermediate.issuer)];
    this.#chains.set(name, {
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
      if (error instanceof VerificationException) throw error;
      throw new VerificationException(VerificationStatus.RETRYABLE_VERIFICATION_FAILURE);
    }
  }
}
