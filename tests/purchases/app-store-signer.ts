import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { CompactSign, type CryptoKey } from 'jose';

const curve = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Apple's marks of the certificates that may sign for the App Store. */
const intermediateMark = '1.2.840.113635.100.6.2.1';
const leafMark = '1.2.840.113635.100.6.11.1';
const decades = { from: Date.UTC(2020, 0), until: Date.UTC(2068, 0) };

export interface Validity {
  /** Milliseconds. */
  readonly from: number;
  readonly until: number;
}

const newKeys = () => webcrypto.subtle.generateKey(curve, true, ['sign', 'verify']);
const mark = (oid: string) => new x509.Extension(oid, false, new Uint8Array([5, 0]));

/** Signs as Apple does, with a chain of its own. */
export class AppStoreSigner {
  readonly #key: CryptoKey;
  readonly #chain: readonly x509.X509Certificate[];

  private constructor(key: CryptoKey, chain: readonly x509.X509Certificate[]) {
    this.#key = key;
    this.#chain = chain;
  }

  /** @param leaf how long the signing certificate is valid */
  static async create(leaf: Validity = decades): Promise<AppStoreSigner> {
    return (await AppStoreSigner.family([leaf]))[0]!;
  }

  /** Several under one root: trust one and all are trusted. */
  static async family(leaves: readonly Validity[]): Promise<readonly AppStoreSigner[]> {
    x509.cryptoProvider.set(webcrypto);
    const [rootKeys, middleKeys] = await Promise.all([newKeys(), newKeys()]);
    const root = await certificate({
      subject: 'CN=Root',
      keys: rootKeys,
      issuer: 'CN=Root',
      by: rootKeys,
      isAuthority: true,
    });
    const middle = await certificate({
      ...{ subject: 'CN=Middle', keys: middleKeys, issuer: 'CN=Root', by: rootKeys, isAuthority: true },
      mark: intermediateMark,
    });
    return Promise.all(
      leaves.map(async (valid) => {
        const keys = await newKeys();
        const leaf = {
          subject: 'CN=Leaf',
          keys,
          issuer: 'CN=Middle',
          by: middleKeys,
          isAuthority: false,
          mark: leafMark,
          valid,
        };
        return new AppStoreSigner(keys.privateKey, [await certificate(leaf), middle, root]);
      }),
    );
  }

  /** The root, in PEM. */
  get rootPem(): string {
    return this.#chain.at(-1)!.toString('pem');
  }

  /** @param header what its header says other than it should */
  async sign(payload: object, header: object = {}): Promise<string> {
    const x5c = this.#chain.map((one) => Buffer.from(one.rawData).toString('base64'));
    const bytes = new TextEncoder().encode(JSON.stringify(payload));
    return new CompactSign(bytes).setProtectedHeader({ alg: 'ES256', x5c, ...header }).sign(this.#key);
  }
}

interface CertificateWanted {
  readonly subject: string;
  readonly keys: CryptoKeyPair;
  readonly issuer: string;
  readonly by: CryptoKeyPair;
  readonly isAuthority: boolean;
  readonly mark?: string;
  readonly valid?: Validity;
}

type CryptoKeyPair = Awaited<ReturnType<typeof newKeys>>;
let serial = 1;

function certificate({ subject, keys, issuer, by, isAuthority, mark: oid, valid = decades }: CertificateWanted) {
  const usage = isAuthority ? x509.KeyUsageFlags.keyCertSign : x509.KeyUsageFlags.digitalSignature;
  return x509.X509CertificateGenerator.create({
    serialNumber: (serial++).toString(16).padStart(2, '0'),
    ...{ subject, issuer, publicKey: keys.publicKey, signingKey: by.privateKey, signingAlgorithm: curve },
    ...{ notBefore: new Date(valid.from), notAfter: new Date(valid.until) },
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, undefined, true),
      new x509.KeyUsagesExtension(usage, true),
      ...(oid ? [mark(oid)] : []),
    ],
  });
}
