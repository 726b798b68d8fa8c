import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { makeAppStoreChain, type AppStoreChain, type CertificateOptions } from './app-store-certificates.ts';

/** Signs as the App Store does: ES256, with leaf, intermediate and root in the header. */
export class AppStorePki {
  readonly chain: AppStoreChain;
  readonly #key: KeyObject;

  /** @param chain a new one, or one that was kept */
  constructor(chain: AppStoreChain) {
    this.chain = chain;
    this.#key = createPrivateKey(chain.leafKey);
  }

  static async create(options?: CertificateOptions): Promise<AppStorePki> {
    return new AppStorePki(await makeAppStoreChain(options));
  }

  /** DER. */
  get rootCertificate(): Buffer {
    return Buffer.from(this.chain.root, 'base64');
  }

  get x5c(): readonly [leaf: string, intermediate: string, root: string] {
    return [this.chain.leaf, this.chain.intermediate, this.chain.root];
  }

  /**
   * The payload as compact JWS; its `signedDate` is the payload's own.
   * @param header fields in place of the right ones, for what must be refused
   */
  sign(payload: object, header: object = {}): string {
    const signed = [{ alg: 'ES256', x5c: this.x5c, ...header }, payload].map(base64url).join('.');
    const signature = sign('sha256', Buffer.from(signed), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }
}

const base64url = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
