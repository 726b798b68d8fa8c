import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');

/** The body's length and the status of an answer whose head is complete, or null. */
function parseHead(received: Buffer): { status: number; length: number } | null {
  const end = received.indexOf(headEnd);
  if (end < 0) return null;
  const head = received.toString('latin1', 0, end).toLowerCase();
  const at = head.indexOf('\r\ncontent-length:');
  if (at < 0 && !/^http\/1.1 (204|304)/.test(head))
    throw new Error('the load generator reads answers with a Content-Length only');
  const body = at < 0 ? 0 : Number.parseInt(head.slice(at + 17), 10);
  return { status: Number(head.slice(9, 12)), length: end + headEnd.length + body };
}

/**
 * One keep-alive connection with one request at a time, over a bare socket: a fifth of undici's processor time a
 * request, which on two shared cores would be taken from the server that is measured.
 */
export class Connection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | null = null;
  #received: Buffer = Buffer.alloc(0);
  #answered: ((status: number) => void) | null = null;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** Calls back once, with the status, or 0 if the connection ended without an answer. */
  send(request: Buffer, answered: (status: number) => void): void {
    this.#answered = answered;
    this.#socket ??= this.#open();
    this.#socket.write(request);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => undefined); // 'close' follows
    socket.on('close', () => {
      this.#socket = null;
      this.#received = Buffer.alloc(0);
      this.#settle(0);
    });
    return socket;
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const head = parseHead(this.#received);
    if (head === null || this.#received.length < head.length) return;
    this.#received = this.#received.subarray(head.length);
    this.#settle(head.status);
  }

  #settle(status: number): void {
    const answered = this.#answered;
    this.#answered = null;
    answered?.(status);
  }
}
