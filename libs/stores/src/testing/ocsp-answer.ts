import { createHash, sign } from 'node:crypto';
import {
  BasicOCSPResponse,
  CertStatus,
  id_pkix_ocsp_basic,
  KeyHash,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  RevokedInfo,
  SingleResponse,
  type CertID,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';
import type { OcspSigner } from './app-store-certificates.ts';

export const certificateStatuses = ['good', 'revoked', 'unknown'] as const;
export type CertificateStatus = (typeof certificateStatuses)[number];

/** What issuers know of their certificates. */
export interface Revocations {
  /** For the issuers of a chain; who asks about a certificate of another issuer gets no answer. */
  readonly signers: readonly OcspSigner[];
  /** By serial number, upper-case hexadecimal; who is not named is good. */
  readonly statuses: ReadonlyMap<string, CertificateStatus>;
  /** Until when an answer holds. */
  readonly nextUpdate: Date;
}

export const ocspAnswerType = 'application/ocsp-response';

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const longAgo = new Date(Date.UTC(2020, 0));

/** The serial numbers, as `Revocations` has them, that a request asks about. */
export const askedInOcsp = (request: Buffer): readonly string[] => idsOf(request).map(serialOf);

/**
 * What the issuers answer on whether certificates are revoked (OCSP, RFC 6960), in DER.
 * @param request DER
 * @throws Error if it is none
 */
export function ocspAnswer(request: Buffer, { signers, statuses, nextUpdate }: Revocations): Buffer {
  const ids = idsOf(request);
  const signer = signers.find(({ issuer }) => ids.every((id) => isOf(id, issuer)));
  if (signer === undefined) return refusal;
  const words = ids.map((certID) => {
    const certStatus = wordFor[statuses.get(serialOf(certID)) ?? 'good'];
    return new SingleResponse({ certID, certStatus, thisUpdate: longAgo, nextUpdate });
  });
  return signedAnswer(signer, words);
}

const idsOf = (request: Buffer): readonly CertID[] =>
  AsnConvert.parse(request, OCSPRequest).tbsRequest.requestList.map(({ reqCert }) => reqCert);

const wordFor: Readonly<Record<CertificateStatus, CertStatus>> = {
  good: new CertStatus({ good: null }),
  revoked: new CertStatus({ revoked: new RevokedInfo({ revocationTime: longAgo }) }),
  unknown: new CertStatus({ unknown: null }),
};

const refusal = Buffer.from(
  AsnConvert.serialize(new OCSPResponse({ responseStatus: OCSPResponseStatus.unauthorized })),
);

function signedAnswer({ certificate, key }: OcspSigner, responses: SingleResponse[]): Buffer {
  const signing = certificateOf(certificate);
  const byKey = new KeyHash(createHash('sha1').update(publicKeyOf(signing)).digest());
  const responderID = new ResponderID({ byKey });
  const tbsResponseData = new ResponseData({ responderID, producedAt: longAgo, responses });
  const answer = new BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    signature: new Uint8Array(sign('sha256', Buffer.from(AsnConvert.serialize(tbsResponseData)), key)).buffer,
    certs: [signing],
  });
  const responseBytes = new ResponseBytes({
    responseType: id_pkix_ocsp_basic,
    response: new OctetString(AsnConvert.serialize(answer)),
  });
  return Buffer.from(
    AsnConvert.serialize(new OCSPResponse({ responseStatus: OCSPResponseStatus.successful, responseBytes })),
  );
}

const certificateOf = (base64: string): Certificate => AsnConvert.parse(Buffer.from(base64, 'base64'), Certificate);
const publicKeyOf = ({ tbsCertificate }: Certificate): Buffer =>
  Buffer.from(tbsCertificate.subjectPublicKeyInfo.subjectPublicKey);
/** As node:crypto writes it: DER puts a zero before what would be negative. */
const serialOf = ({ serialNumber }: CertID): string =>
  Buffer.from(serialNumber).toString('hex').replace(/^00/, '').toUpperCase();

/** Whether the issuer, DER in base64, gave the certificate out. */
function isOf({ issuerKeyHash }: CertID, issuer: string): boolean {
  const key = createHash('sha256')
    .update(publicKeyOf(certificateOf(issuer)))
    .digest();
  return key.equals(Buffer.from(issuerKeyHash.buffer));
}
