import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** PEM texts. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Of all certificates that are made here. */
export const validity = { notBefore: new Date(Date.UTC(2020, 0)), notAfter: new Date(Date.UTC(2070, 0)) };

/** Signs certificates of servers and clients, as a company's own authority does. */
export class Authority {
  readonly #keys: webcrypto.CryptoKeyPair;
  readonly #certificate: x509.X509Certificate;

  private constructor(keys: webcrypto.CryptoKeyPair, certificate: x509.X509Certificate) {
    this.#keys = keys;
    this.#certificate = certificate;
  }

  static async make(name: string): Promise<Authority> {
    const keys = await newKeys();
    const extensions = [new x509.BasicConstraintsExtension(true, undefined, true)];
    const named = { name: `CN=${name}`, keys, signingAlgorithm: algorithm, extensions, ...validity };
    return new Authority(keys, await x509.X509CertificateGenerator.createSelfSigned(named));
  }

  /** What those must know who are to believe it, as PEM. */
  get certificate(): string {
    return this.#certificate.toString('pem');
  }

  /** @param addresses IP addresses at which a server is reached; none of a client */
  async certify(name: string, addresses: readonly string[] = []): Promise<Certified> {
    const keys = await newKeys();
    const reachedAt = addresses.map((value) => ({ type: 'ip' as const, value }));
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: this.#certificate.subject,
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: reachedAt.length > 0 ? [new x509.SubjectAlternativeNameExtension(reachedAt)] : [],
      ...validity,
    });
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { certificate: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
  }
}

const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
