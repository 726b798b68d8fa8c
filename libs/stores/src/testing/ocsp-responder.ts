import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { OcspSigner } from './app-store-certificates.ts';
import { askedInOcsp, ocspAnswer, ocspAnswerType, type CertificateStatus, type Revocations } from './ocsp-answer.ts';

const farAway = new Date(Date.UTC(2070, 0));

/** Tells on a free port of the loopback whether certificates are revoked, as their issuers do. */
export class OcspResponder implements Revocations {
  readonly statuses = new Map<string, CertificateStatus>();
  nextUpdate = farAway;
  /** Serial numbers of the certificates that were asked about. */
  readonly asked: string[] = [];
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
    const request = await buffer(incoming);
    this.asked.push(...askedInOcsp(request));
    response.writeHead(200, { 'content-type': ocspAnswerType }).end(ocspAnswer(request, this));
  }
}
