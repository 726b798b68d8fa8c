import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import { KafkaJSNonRetriableError } from 'kafkajs/src/errors.js';
import { ByteReader } from './byte-reader.ts';
import { readHeaders } from './record-headers.ts';

/** A record as kafkajs hands it on. `timestamp` in milliseconds since the epoch. */
export interface FetchedRecord {
  readonly offset: string;
  readonly timestamp: number;
  readonly key: string | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Tells how a transaction ended: kafkajs keeps it to itself. */
  readonly isControlRecord: boolean;
  /** By it kafkajs leaves out what a producer took back. */
  readonly batchContext: { readonly producerId: string; readonly inTransaction: boolean };
}

/** In front of a batch: its first offset, and how many bytes it has from there on. */
const prefixBytes = 12;
/** Since Kafka 0.11, of 2017. */
const knownFormat = 2;

const attribute = { compression: 0x07, timeIsBrokers: 0x08, transactional: 0x10, control: 0x20 } as const;

const decompressions: Readonly<Record<number, (bytes: Buffer) => Promise<Buffer>>> = {
  1: promisify(gunzip),
  4: promisify(zstdDecompress),
};

/**
 * The records of some batches, in order. The last batch may be cut off, by the most bytes that a fetch may have: then it
 * is left for the next fetch. Checksums are left to TCP, as kafkajs leaves them.
 * @throws KafkaJSNonRetriableError where a batch is in a format that nobody reads here
 */
export async function readRecordBatches(bytes: Buffer): Promise<readonly FetchedRecord[]> {
  const reader = new ByteReader(bytes);
  const records: FetchedRecord[] = [];
  while (reader.left >= prefixBytes) {
    const firstOffset = reader.int64();
    const length = reader.int32();
    if (length > reader.left) break;
    await readBatch(firstOffset, reader.slice(length), records);
  }
  return records;
}

async function readBatch(firstOffset: number, bytes: Buffer, records: FetchedRecord[]): Promise<void> {
  const reader = new ByteReader(bytes);
  reader.at += 4; // epoch of the partition's leader
  const format = reader.int8();
  if (format !== knownFormat) throw new KafkaJSNonRetriableError(`A record batch has the format ${format}, not 2`);
  reader.at += 4; // checksum
  const attributes = reader.int16();
  reader.at += 4; // last offset
  const firstTime = reader.int64();
  const lastTime = reader.int64();
  const producerId = String(reader.int64());
  reader.at += 6; // the producer's epoch, and its count of records
  const count = reader.int32();
  const plain = await decompressed(reader, attributes & attribute.compression);
  const batchContext = { producerId, inTransaction: (attributes & attribute.transactional) !== 0 };
  const isControlRecord = (attributes & attribute.control) !== 0;
  const brokersTime = (attributes & attribute.timeIsBrokers) !== 0 ? lastTime : null;

  for (let read = 0; read < count; read++) {
    const length = plain.varint();
    const end = plain.at + length;
    plain.at += 1; // attributes, of which there are none
    const time = firstTime + plain.varint();
    const offset = String(firstOffset + plain.varint());
    const timestamp = brokersTime ?? time;
    const key = readText(plain);
    const value = readBytes(plain);
    records.push({ offset, timestamp, key, value, headers: readHeaders(plain), isControlRecord, batchContext });
    plain.at = end;
  }
}

/** What is left to read, as it was before it was compressed. */
async function decompressed(reader: ByteReader, compression: number): Promise<ByteReader> {
  if (compression === 0) return reader;
  const decompress = decompressions[compression];
  if (!decompress) throw new KafkaJSNonRetriableError(unreadable);
  return new ByteReader(await decompress(reader.slice(reader.left)));
}

const unreadable = 'A topic is compressed neither by gzip nor by zstd: its compression.type has to be one of them';

function readText(reader: ByteReader): string | null {
  const length = reader.varint();
  return length < 0 ? null : reader.text(length);
}

function readBytes(reader: ByteReader): Buffer | null {
  const length = reader.varint();
  return length < 0 ? null : reader.slice(length);
}
