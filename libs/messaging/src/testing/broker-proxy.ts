import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { ISocketFactory } from 'kafkajs';

const produceRequest = 0;
const commitRequest = 8;
const findCoordinatorRequest = 10;
const joinGroupRequest = 11;
const createTopicsRequest = 19;

/** Stands between client and broker, and can swallow responses: the broker did, nobody knows. It can break off, too. */
export class BrokerProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #toSwallow = { request: produceRequest, count: 0 };
  #isCut = false;
  #isHeld = false;
  #breaksOffCoordinatorRequests = false;
  #breaksOffCommits = false;
  #breaksOffAbove = Infinity;
  /** Requests to join that are not passed on yet, or null where they are at once. */
  #heldJoins: (() => void)[] | null = null;
  swallowed = 0;
  /** Coordinator requests, commits and answers that were broken off. */
  brokenOff = 0;
  /** What the broker answered, in bytes. */
  readonly answered = { inAll: 0, largest: 0 };

  constructor(broker: string) {
    const [host = '127.0.0.1', port] = broker.split(':');
    this.#server = createServer((client) => {
      if (this.#isCut) client.destroy();
      else this.#forward(client, connect(Number(port), host));
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** For kafkajs: every broker is reached through this proxy. */
  readonly socketFactory: ISocketFactory = ({ onConnect }) => {
    const { port } = this.#server.address() as AddressInfo;
    return connect({ host: '127.0.0.1', port }, onConnect);
  };

  /** The responses to the next produce requests are lost. */
  swallowNextProduceResponses(count: number): void {
    this.#toSwallow = { request: produceRequest, count };
  }

  /** The response to the next request to create topics is lost. */
  swallowNextCreateTopicsResponse(): void {
    this.#toSwallow = { request: createTopicsRequest, count: 1 };
  }

  /** Ends every connection whenever a client asks for the coordinator of its group, until it is mended: the broker goes in that moment. */
  breakOffCoordinatorRequests(): void {
    this.#breaksOffCoordinatorRequests = true;
  }

  /** Ends every connection whenever a client commits offsets, which the broker never sees, until it is mended. */
  breakOffCommits(): void {
    this.#breaksOffCommits = true;
  }

  /** Keeps requests to join a group, until they are let go. */
  holdJoins(): void {
    this.#heldJoins = [];
  }

  get heldJoins(): number {
    return this.#heldJoins?.length ?? 0;
  }

  letJoinsGo(): void {
    for (const pass of this.#heldJoins ?? []) pass();
    this.#heldJoins = null;
  }

  /** Resets every connection in the middle of the next answer that is longer than that. */
  breakOffNextAnswerAbove(bytes: number): void {
    this.#breaksOffAbove = bytes;
  }

  /** Ends every connection and lets none come up, until it is mended. */
  cut(): void {
    this.#isCut = true;
    this.#endConnections();
  }

  /** Takes connections, and lets nothing through: a broker that is frozen, or not there yet. */
  hold(): void {
    this.#isCut = false;
    this.#isHeld = true;
    for (const socket of this.#sockets) socket.pause();
  }

  mend(): void {
    this.#isCut = false;
    this.#isHeld = false;
    this.#breaksOffCoordinatorRequests = false;
    this.#breaksOffCommits = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #breaksOff(request: number): boolean {
    return (
      (request === findCoordinatorRequest && this.#breaksOffCoordinatorRequests) ||
      (request === commitRequest && this.#breaksOffCommits)
    );
  }

  #endConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  /** The client has read a half of it by then. */
  #breakOff(client: Socket, frame: Buffer): void {
    this.#breaksOffAbove = Infinity;
    client.write(frame.subarray(0, frame.length / 2), () =>
      setTimeout(() => {
        this.brokenOff += 1;
        client.resetAndDestroy();
        this.#endConnections();
      }, 200),
    );
  }

  #forward(client: Socket, broker: Socket): void {
    const doomed = new Set<number>();
    const requests = new Frames((frame) => {
      if (frame.readInt16BE(4) === this.#toSwallow.request && this.#toSwallow.count > 0) {
        this.#toSwallow.count -= 1;
        doomed.add(frame.readInt32BE(8));
      }
      if (this.#breaksOff(frame.readInt16BE(4))) {
        this.brokenOff += 1;
        return this.#endConnections();
      }
      if (frame.readInt16BE(4) === joinGroupRequest && this.#heldJoins !== null)
        return void this.#heldJoins.push(() => broker.write(frame));
      broker.write(frame);
    });
    const responses = new Frames((frame) => {
      this.answered.inAll += frame.length;
      this.answered.largest = Math.max(this.answered.largest, frame.length);
      if (frame.length > this.#breaksOffAbove) return this.#breakOff(client, frame);
      if (doomed.delete(frame.readInt32BE(4))) this.swallowed += 1;
      else client.write(frame);
    });
    for (const [from, to, frames] of [
      [client, broker, requests],
      [broker, client, responses],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => frames.add(bytes));
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
      if (this.#isHeld) from.pause();
    }
  }
}

/** Cuts a stream of bytes into Kafka's frames: four bytes of length, then as many bytes. */
class Frames {
  readonly #onFrame: (frame: Buffer) => void;
  #bytes = Buffer.alloc(0);

  constructor(onFrame: (frame: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  add(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    while (this.#bytes.length >= 4 && this.#bytes.length >= 4 + this.#bytes.readInt32BE(0)) {
      const length = 4 + this.#bytes.readInt32BE(0);
      this.#onFrame(this.#bytes.subarray(0, length));
      this.#bytes = this.#bytes.subarray(length);
    }
  }
}
