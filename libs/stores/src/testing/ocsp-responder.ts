import { createHash, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
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

export type CertificateStatus = 'good' | 'revoked' | 'unknown';

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const longAgo = new Date(Date.UTC(2020, 0));
const farAway = new Date(Date.UTC(2070, 0));

/** Tells on a free port of the loopback whether certificates are revoked, as their issuers do (OCSP, RFC 6960). */
export class OcspResponder {
  /** By serial number, upper-case hexadecimal; who is not named is good. */
  readonly statuses = new Map<string, CertificateStatus>();
  /** Until when an answer holds. */
  nextUpdate = farAway;
  /** Serial numbers of the certificates that were asked about. */
  readonly asked: string[] = [];
  /** For the issuers of a chain; who asks about a certificate of another issuer gets no answer. */
  signers: readonly OcspSigner[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((incoming, response) => void this.#serve(incoming, response));
  }

  static async start(): Promise<OcspResponder> {
    const responder = new OcspResponder();
    await new Promise<void>((resolve) => responder.#server.listen(0, '127.0.0.1', resolve));
    return responder;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = this.#answer(await buffer(incoming));
    response.writeHead(200, { 'content-type': 'application/ocsp-response' }).end(answer);
  }

  #answer(request: Buffer): Buffer {
    const { requestList } = AsnConvert.parse(request, OCSPRequest).tbsRequest;
    const ids = requestList.map(({ reqCert }) => reqCert);
    this.asked.push(...ids.map(serialOf));
    const signer = this.signers.find(({ issuer }) => ids.every((id) => isOf(id, issuer)));
    return signer === undefined
      ? refusal
      : signedAnswer(
          signer,
          ids.map((id) => this.#wordOn(id)),
        );
  }

  #wordOn(certID: CertID): SingleResponse {
    const certStatus = wordFor[this.statuses.get(serialOf(certID)) ?? 'good'];
    return new SingleResponse({ certID, certStatus, thisUpdate: longAgo, nextUpdate: this.nextUpdate });
  }
}

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
