import { X509Certificate } from 'node:crypto';
import { ocspAnswer, type CertificateStatus } from '@paywright/stores/testing';
import { CallRefused, type Answer, type Call } from '../http/call.ts';
import type { StoreKeys } from '../state/keys.ts';

export const certificateNames = ['leaf', 'intermediate'] as const;
export type CertificateName = (typeof certificateNames)[number];

const farAway = new Date(Date.UTC(2070, 0));

/** What the issuers of the App Store's certificates say of them: good, until the simulator is told otherwise, and again once it is started anew. */
export class AppStoreRevocations {
  readonly #chain: StoreKeys['appStore'];
  readonly #statuses = new Map<string, CertificateStatus>();

  constructor(chain: StoreKeys['appStore']) {
    this.#chain = chain;
  }

  set(certificate: CertificateName, status: CertificateStatus): void {
    this.#statuses.set(this.#serialOf(certificate), status);
  }

  get statuses(): Readonly<Record<CertificateName, CertificateStatus>> {
    const of = (certificate: CertificateName) => this.#statuses.get(this.#serialOf(certificate)) ?? 'good';
    return { leaf: of('leaf'), intermediate: of('intermediate') };
  }

  /** @throws CallRefused if that is no question */
  answer({ bytes }: Call): Answer {
    const known = { signers: this.#chain.ocspSigners ?? [], statuses: this.#statuses, nextUpdate: farAway };
    try {
      return { status: 200, body: ocspAnswer(bytes, known) };
    } catch {
      throw new CallRefused(400, 'MALFORMED_OCSP', 'The body is no OCSP request in DER (RFC 6960).');
    }
  }

  #serialOf(certificate: CertificateName): string {
    return new X509Certificate(Buffer.from(this.#chain[certificate], 'base64')).serialNumber;
  }
}
