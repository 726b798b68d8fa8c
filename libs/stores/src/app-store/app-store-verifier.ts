import { Environment, VerificationException, VerificationStatus } from '@apple/app-store-server-library';
import type { Clock } from '@paywright/platform';
import type { z } from 'zod';
import type { VerifierSettings } from './app-store-settings.ts';
import { ChainCachingVerifier } from './chain-caching-verifier.ts';
import { SignedNotification, SignedRenewal, SignedTransaction, type AppStoreEnvironment } from './signed-payloads.ts';

/** Why signed data is not believed. 'passing': the certificates' issuer could not be asked. */
export type Disbelief = 'malformed' | 'forged' | 'other-app' | 'other-environment' | 'passing';

/** Thrown inside this folder only; the library's own exception is not kept. */
export class NotBelieved extends Error {
  readonly reason: Disbelief;

  constructor(reason: Disbelief) {
    super(`Signed data is not believed: ${reason}.`);
    this.reason = reason;
  }
}

/** What the library takes for a signature is not always three parts. */
const compactJws = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Believes what the App Store signed for one app, and no field less than we use. Closes what the library leaves open:
 * renewal info without an app, a transaction passed off as renewal info, missing fields, inner parts of a notification
 * that are of another environment.
 */
export class AppStoreVerifier {
  readonly #verifiers: Readonly<Record<AppStoreEnvironment, ChainCachingVerifier>>;

  /** @throws Error if a root certificate cannot be read, or none is given */
  constructor(
    app: { readonly bundleId: string; readonly appAppleId: number },
    settings: VerifierSettings,
    clock: Clock,
  ) {
    if (settings.rootCertificates.length === 0) throw new RangeError('Signed data needs a root certificate.');
    this.#verifiers = {
      Production: new ChainCachingVerifier(app, Environment.PRODUCTION, settings, clock),
      Sandbox: new ChainCachingVerifier(app, Environment.SANDBOX, settings, clock),
    };
  }

  /** @throws NotBelieved */
  async transaction(jws: string, environment: AppStoreEnvironment): Promise<SignedTransaction> {
    return believe(jws, SignedTransaction, () => this.#verifiers[environment].verifyAndDecodeTransaction(jws));
  }

  /**
   * Renewal info names no app: it counts beside a verified transaction of the same chain and environment alone.
   * @throws NotBelieved
   */
  async renewal(jws: string, beside: SignedTransaction): Promise<SignedRenewal> {
    const verifier = this.#verifiers[beside.environment];
    const renewal = await believe(jws, SignedRenewal, () => verifier.verifyAndDecodeRenewalInfo(jws));
    if (renewal.originalTransactionId !== beside.originalTransactionId) throw new NotBelieved('malformed');
    return renewal;
  }

  /**
   * The outer part of a notification, of the environment that it was sent for: production, then sandbox, whose data
   * has no `appAppleId`. It proves nothing about the parts inside.
   * @throws NotBelieved
   */
  async notification(jws: string): Promise<SignedNotification & { readonly environment: AppStoreEnvironment }> {
    const inProduction = await this.#notificationOf(jws, 'Production').catch(notBelieved);
    if (!(inProduction instanceof NotBelieved)) return inProduction;
    if (!/^other-/.test(inProduction.reason)) throw inProduction;
    const inSandbox = await this.#notificationOf(jws, 'Sandbox').catch(notBelieved);
    if (!(inSandbox instanceof NotBelieved)) return inSandbox;
    throw inSandbox.reason === 'other-environment' ? inProduction : inSandbox;
  }

  async #notificationOf(jws: string, environment: AppStoreEnvironment) {
    const verifier = this.#verifiers[environment];
    return {
      ...(await believe(jws, SignedNotification, () => verifier.verifyAndDecodeNotification(jws))),
      environment,
    };
  }
}

function notBelieved(error: unknown): NotBelieved {
  if (error instanceof NotBelieved) return error;
  throw error;
}

async function believe<T>(jws: string, schema: z.ZodType<T>, verify: () => Promise<unknown>): Promise<T> {
  if (!compactJws.test(jws)) throw new NotBelieved('malformed');
  const payload = await verify().catch((error: unknown) => {
    throw new NotBelieved(error instanceof VerificationException ? disbelief(error.status) : 'forged');
  });
  const parsed = schema.safeParse(payload);
  if (!parsed.success) throw new NotBelieved('malformed');
  return parsed.data;
}

function disbelief(status: VerificationStatus): Disbelief {
  switch (status) {
    case VerificationStatus.INVALID_APP_IDENTIFIER:
      return 'other-app';
    case VerificationStatus.INVALID_ENVIRONMENT:
      return 'other-environment';
    case VerificationStatus.RETRYABLE_VERIFICATION_FAILURE:
      return 'passing';
    case VerificationStatus.FAILURE:
      return 'malformed';
    default:
      return 'forged';
  }
}
