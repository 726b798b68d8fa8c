/** What we touch of kafkajs's inside; its version is pinned. */
declare module 'kafkajs/src/broker/index.js' {
  interface ConnectionPool {
    readonly connectionTimeout: number;
    isConnected(): boolean;
    getConnection(): Promise<{
      getSupportAuthenticationProtocol(): boolean | null;
      authenticate(): Promise<void>;
    }>;
    setVersions(versions: object): void;
  }

  /** Of a fetch: what we look at. */
  export interface FetchRequest {
    readonly topics: readonly {
      readonly topic: string;
      /** Offsets in decimal digits. */
      readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string }[];
    }[];
  }

  export interface FetchAnswer {
    /** In milliseconds: how long the broker has waited, and how long kafkajs is to wait with its next request. */
    readonly throttleTime: number;
    readonly clientSideThrottleTime: number;
    readonly errorCode: number;
    readonly sessionId: number;
    readonly responses: readonly object[];
  }

  /** How a request is asked, and its answer is read. */
  interface Exchange {
    readonly request: { readonly apiVersion: number };
    readonly response: { readonly decode: (bytes: Buffer) => Promise<object> };
  }

  export default class Broker {
    constructor(options: {
      readonly connectionPool: ConnectionPool;
      readonly logger: { namespace(): object };
      readonly versions: object;
    });
    isConnected: (this: Broker) => boolean;
    connect: (this: Broker) => Promise<void>;
    disconnect(): Promise<void>;
    fetch: (this: Broker, request: FetchRequest) => Promise<FetchAnswer>;
    lookupRequest: (apiKey: number, versions: object) => (request: object) => Exchange;
  }
}

declare module 'kafkajs/src/cluster/index.js' {
  interface CoordinatorQuestion {
    readonly groupId: string;
    readonly coordinatorType: number;
  }

  export default class Cluster {
    findGroupCoordinatorMetadata: (this: Cluster, question: CoordinatorQuestion) => Promise<unknown>;
  }
}

declare module 'kafkajs/src/consumer/consumerGroup.js' {
  import type { TopicOffsets } from 'kafkajs';

  export default class ConsumerGroup {
    /** What we look at here. */
    constructor(options: {
      readonly logger: { readonly namespace: () => object };
      readonly instrumentationEmitter: { readonly emit: () => void };
      readonly retry: object;
    });
    /** When the last heartbeat was sent, by the machine's clock. */
    lastRequest: number;
    heartbeat: (this: ConsumerGroup, options: { readonly interval: number }) => Promise<void>;
    /** Of the current membership. */
    readonly offsetManager: { commitOffsets(offsets: { readonly topics: readonly TopicOffsets[] }): Promise<void> };
    joinAndSync: (this: ConsumerGroup) => Promise<void>;
    fetch: (this: ConsumerGroup, nodeId: string) => Promise<unknown>;
  }
}

declare module 'kafkajs/src/consumer/index.js' {
  import type { Consumer, ConsumerConfig } from 'kafkajs';

  export default function createConsumer(
    config: ConsumerConfig & { readonly cluster: object; readonly logger: object },
  ): Consumer;
}

declare module 'kafkajs/src/consumer/runner.js' {
  export interface FetchedBatch {
    readonly topic: string;
    readonly partition: number;
    /** What the broker was asked for, in decimal digits. */
    readonly fetchedOffset: string;
  }

  export interface OffsetManager {
    /** By topic and partition: where reading began. Absent until the group's coordinator was asked, under each membership anew. */
    committedOffsets(): Readonly<Record<string, Readonly<Record<number, string>>>>;
    nextOffset(topic: string, partition: number): { toString(): string };
  }

  export default class Runner {
    readonly consumerGroup: {
      readonly offsetManager: OffsetManager;
      readonly cluster: { disconnect(): Promise<void> };
    };
    /** From when it has joined its group until it is stopped. */
    readonly running: boolean;
    onCrash: (error: Error) => Promise<void>;
    start: (this: Runner) => Promise<void>;
    stop: (this: Runner) => Promise<void>;
    handleBatch: (this: Runner, batch: FetchedBatch) => Promise<void>;
  }
}

declare module 'kafkajs/src/protocol/recordBatch/record/v0/index.js' {
  import type Encoder from 'kafkajs/src/protocol/encoder.js';

  /** A header is given as often as it has values. */
  export default function Record(record: {
    readonly offsetDelta: number;
    readonly timestampDelta: number;
    readonly key: string | null;
    readonly value: string | null;
    readonly headers: Readonly<Record<string, readonly (string | null)[]>>;
  }): Encoder;
}

declare module 'kafkajs/src/protocol/recordBatch/v0/index.js' {
  import type { CompressionTypes } from 'kafkajs';
  import type Encoder from 'kafkajs/src/protocol/encoder.js';

  export function RecordBatch(batch: {
    readonly compression: CompressionTypes;
    readonly firstOffset: number;
    readonly producerId: number;
    readonly transactional: boolean;
    readonly firstTimestamp: number;
    readonly maxTimestamp: number;
    readonly lastOffsetDelta: number;
    readonly records: readonly Encoder[];
  }): Promise<Encoder>;
}

declare module 'kafkajs/src/protocol/encoder.js' {
  export default class Encoder {
    static nextPowerOfTwo: (value: number) => number;
    static sizeOfVarInt(value: number): number;
    static sizeOfVarLong: (value: unknown) => number;
    buf: Buffer;
    offset: number;
    /** What was written. */
    readonly buffer: Buffer;
    /** Makes room for so many bytes more. */
    ensureAvailable: (this: Encoder, more: number) => void;
    writeVarIntBytes: (this: Encoder, bytes: Buffer | string | null) => Encoder;
    writeVarInt(value: number): Encoder;
    writeUVarInt: (this: Encoder, value: number) => Encoder;
    writeVarLong: (this: Encoder, value: unknown) => Encoder;
    writeInt16(value: number): this;
    writeInt32(value: number): this;
    writeInt64(value: number): this;
    writeString(text: string): this;
    writeBytes(bytes: Buffer | null): this;
    writeArray(items: readonly Encoder[]): this;
    writeEncoder(other: Encoder): this;
  }
}

declare module 'kafkajs/src/protocol/error.js' {
  import type { KafkaJSProtocolError } from 'kafkajs';

  export function createErrorFromCode(code: number): KafkaJSProtocolError;
}

declare module 'kafkajs/src/network/connection.js' {
  import type { Socket } from 'node:net';

  export default class Connection {
    /** What was received and not taken yet. */
    chunks: Buffer[];
    bytesBuffered: number;
    /** How much must be there before anything is taken. */
    bytesNeeded: number;
    /** That of the last time it was opened. */
    readonly socket?: Socket;
    isConnected(): boolean;
    connect: (this: Connection) => Promise<boolean>;
  }
}

declare module 'kafkajs/src/network/requestQueue/index.js' {
  interface PushedRequest {
    readonly entry: { readonly correlationId: number; readonly resolve: () => void; readonly reject: () => void };
    readonly expectResponse: boolean;
    readonly sendRequest: () => void;
  }

  export default class RequestQueue {
    constructor(options: {
      readonly maxInFlightRequests: number | null;
      readonly requestTimeout: number;
      readonly enforceRequestTimeout: boolean;
      readonly clientId: string;
      readonly broker: string;
      readonly logger: { readonly debug: () => void; readonly warn: () => void };
    });
    readonly pending: readonly unknown[];
    readonly inflight: ReadonlyMap<number, unknown>;
    readonly maxInFlightRequests: number | null;
    /** Until when nothing is sent. */
    throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    push(request: PushedRequest): void;
    fulfillRequest(response: { correlationId: number; payload: Buffer; size: number }): void;
    maybeThrottle: (this: RequestQueue, milliseconds: number | null) => void;
    canSendSocketRequestImmediately: (this: RequestQueue) => boolean;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
  }
}

declare module 'kafkajs/src/errors.js' {
  import { KafkaJSError } from 'kafkajs';

  export { KafkaJSNonRetriableError } from 'kafkajs';

  export class KafkaJSLockTimeout extends KafkaJSError {
    constructor(message: string);
  }
}
