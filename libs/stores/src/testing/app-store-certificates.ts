import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** How a chain is made, or made wrong. Dates in milliseconds since the epoch; 2020 to 2070 by default. */
export interface CertificateOptions {
  readonly validFrom?: number;
  readonly validTo?: number;
  readonly leafValidTo?: number;
  readonly intermediateIsCa?: boolean;
  readonly intermediateIsMarked?: boolean;
  readonly leafIsMarked?: boolean;
  readonly ocspSignerIsMarked?: boolean;
  /** Written into the certificates as the place where their issuer tells of revocations. */
  readonly ocspUrl?: string;
}

/** A chain and its signing key as text, to be kept between two runs of a process. The key is secret. */
export interface AppStoreChain {
  /** Base64 of DER. */
  readonly root: string;
  readonly intermediate: string;
  readonly leaf: string;
  /** PKCS #8, PEM. */
  readonly leafKey: string;
  /** Who tells for root and intermediate of revocations; none if the certificates name no place for it. */
  readonly ocspSigners?: readonly OcspSigner[];
}

/** Whom an issuer lets sign what it tells of revocations. The key is secret. */
export interface OcspSigner {
  /** Base64 of DER. */
  readonly issuer: string;
  readonly certificate: string;
  /** PKCS #8, PEM. */
  readonly key: string;
}

/** What Apple marks its intermediate and its leaf with; its verifier looks for nothing but their presence. */
const intermediateMarker = '1.2.840.113635.100.6.2.1';
const leafMarker = '1.2.840.113635.100.6.11.1';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const derNull = new Uint8Array([5, 0]);

/** A chain of three in the form of Apple's, P-256 throughout. */
export async function makeAppStoreChain(options: CertificateOptions = {}): Promise<AppStoreChain> {
  const [rootKeys, intermediateKeys, leafKeys] = await Promise.all([newKeys(), newKeys(), newKeys()]);
  const marked = (oid: string, isMarked = true) => (isMarked ? [new x509.Extension(oid, false, derNull)] : []);
  const root = { name: 'CN=Test Root', keys: rootKeys };
  const intermediate = { name: 'CN=Test Intermediate', keys: intermediateKeys };
  const leaf = { name: 'CN=Test Leaf', keys: leafKeys };
  const leafOptions = { ...options, validTo: options.leafValidTo ?? options.validTo ?? lastDay };
  const { intermediateIsCa = true, intermediateIsMarked, leafIsMarked } = options;
  const chain = {
    root: await certificate(root, root, options, [basic(true)]),
    intermediate: await certificate(intermediate, root, options, [
      basic(intermediateIsCa),
      ...marked(intermediateMarker, intermediateIsMarked),
      ...ocspOf(options),
    ]),
    leaf: await certificate(leaf, intermediate, leafOptions, [
      basic(false),
      ...marked(leafMarker, leafIsMarked),
      ...ocspOf(options),
    ]),
    leafKey: await pemOf(leafKeys),
  };
  if (options.ocspUrl === undefined) return chain;
  const ocspSigners = [
    { issuer: chain.root, ...(await ocspSigner(root, options)) },
    { issuer: chain.intermediate, ...(await ocspSigner(intermediate, options)) },
  ];
  return { ...chain, ocspSigners };
}

async function ocspSigner(issuer: Party, options: CertificateOptions): Promise<Omit<OcspSigner, 'issuer'>> {
  const keys = await newKeys();
  const { ocspSignerIsMarked: isMarked = true } = options;
  const purpose = isMarked ? x509.ExtendedKeyUsage.ocspSigning : x509.ExtendedKeyUsage.timeStamping;
  return {
    certificate: await certificate({ name: 'CN=Test Revocations', keys }, issuer, options, [
      basic(false),
      new x509.ExtendedKeyUsageExtension([purpose]),
    ]),
    key: await pemOf(keys),
  };
}

interface Party {
  readonly name: string;
  readonly keys: webcrypto.CryptoKeyPair;
}

const firstDay = Date.UTC(2020, 0);
const lastDay = Date.UTC(2070, 0);

async function certificate(
  subject: Party,
  issuer: Party,
  { validFrom = firstDay, validTo = lastDay }: CertificateOptions,
  extensions: x509.Extension[],
): Promise<string> {
  const made = await x509.X509CertificateGenerator.create({
    subject: subject.name,
    issuer: issuer.name,
    notBefore: new Date(validFrom),
    notAfter: new Date(validTo),
    signingAlgorithm: algorithm,
    publicKey: subject.keys.publicKey,
    signingKey: issuer.keys.privateKey,
    extensions,
  });
  return Buffer.from(made.rawData).toString('base64');
}

const pemOf = async ({ privateKey }: webcrypto.CryptoKeyPair) =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const basic = (isCa: boolean) => new x509.BasicConstraintsExtension(isCa, undefined, true);
const ocspOf = ({ ocspUrl }: CertificateOptions) =>
  ocspUrl === undefined ? [] : [new x509.AuthorityInfoAccessExtension({ ocsp: ocspUrl })];
