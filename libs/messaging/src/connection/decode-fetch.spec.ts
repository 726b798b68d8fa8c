import { expect, it } from '@jest/globals';
import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import { CompressionTypes } from 'kafkajs';
import Encoder from 'kafkajs/src/protocol/encoder.js';
import Record from 'kafkajs/src/protocol/recordBatch/record/v0/index.js';
import { RecordBatch } from 'kafkajs/src/protocol/recordBatch/v0/index.js';
import { decodeFetch } from './decode-fetch.ts';
import { readRecordBatches } from './record-batches.ts';

interface WrittenRecord {
  readonly delta: number;
  readonly key: string | null;
  readonly value: string | null;
  readonly headers: readonly (readonly [name: string, values: readonly string[]])[];
}

interface WrittenBatch {
  readonly firstOffset: number;
  readonly firstTimestamp: number;
  readonly maxTimestamp: number;
  readonly producerId: number;
  readonly transactional: boolean;
  readonly isControl: boolean;
  readonly timeIsBrokers: boolean;
  readonly compression: CompressionTypes;
  readonly records: readonly WrittenRecord[];
}

/** Behind first offset, length, leader's epoch, format and checksum. */
const attributesAt = 21;
const formatAt = 16;

/** As a broker stores it: kafkajs writes no control records, and leaves the time to producers. */
async function encoded(batch: WrittenBatch): Promise<Buffer> {
  const records = batch.records.map(({ delta, headers, ...record }, offsetDelta) =>
    Record({ ...record, offsetDelta, timestampDelta: delta, headers: Object.fromEntries(headers) }),
  );
  const { buffer } = await RecordBatch({ ...batch, lastOffsetDelta: records.length - 1, records });
  const flags = (batch.isControl ? 0x20 : 0) | (batch.timeIsBrokers ? 0x08 : 0);
  buffer.writeInt16BE(buffer.readInt16BE(attributesAt) | flags, attributesAt);
  return buffer;
}

const expected = ({ records, ...batch }: WrittenBatch) =>
  records.map(({ delta, key, value, headers }, index) => ({
    ...{ offset: String(batch.firstOffset + index), key, value, isControlRecord: batch.isControl },
    timestamp: batch.timeIsBrokers ? batch.maxTimestamp : batch.firstTimestamp + delta,
    headers: Object.fromEntries(headers.map(([name, values]) => [name, values.at(-1)])),
    batchContext: { producerId: String(batch.producerId), inTransaction: batch.transactional },
  }));

const read = async (bytes: Buffer) =>
  (await readRecordBatches(bytes)).map((record) => ({ ...record, value: record.value?.toString() ?? null }));

const text = fc.string({ unit: anyCharacter });
const name = fc.oneof(fc.constantFrom('ce_id', 'ce_ix', 'ce_type', ''), text).filter((one) => one !== '__proto__');
const record: fc.Arbitrary<WrittenRecord> = fc.record({
  delta: fc.oneof(fc.nat(300), fc.integer(), fc.integer({ min: -(2 ** 52), max: 2 ** 52 })),
  key: fc.option(text),
  value: fc.option(text),
  headers: fc.uniqueArray(fc.tuple(name, fc.array(text, { minLength: 1, maxLength: 3 })), {
    maxLength: 40,
    selector: ([of]) => of,
  }),
});
const time = fc.nat(4_102_444_800_000);
const batch: fc.Arbitrary<WrittenBatch> = fc.record({
  firstOffset: fc.oneof(fc.nat(300), fc.nat(2 ** 52)),
  firstTimestamp: time,
  maxTimestamp: time,
  producerId: fc.oneof(fc.constant(-1), fc.nat(2 ** 52)),
  transactional: fc.boolean(),
  isControl: fc.boolean(),
  timeIsBrokers: fc.boolean(),
  compression: fc.constantFrom(CompressionTypes.None, CompressionTypes.GZIP),
  records: fc.array(record, { minLength: 1, maxLength: 8 }),
});
const plain: WrittenBatch = {
  ...{ firstOffset: 7, firstTimestamp: 1, maxTimestamp: 1, producerId: -1, transactional: false },
  ...{ isControl: false, timeIsBrokers: false, compression: CompressionTypes.None },
  records: [{ delta: 0, key: 'key', value: 'value', headers: [] }],
};

// First, while there is room for names of that length.
it('takes bytes that are no UTF-8 for no name that it has seen', async () => {
  const headers = [
    ['né', ['seen']],
    ['n_!', ['not seen']],
  ] as const;
  const buffer = await encoded({ ...plain, records: [{ ...plain.records[0]!, headers }] });
  buffer[buffer.lastIndexOf('_')] = 'é'.charCodeAt(0);

  expect((await read(buffer))[0]?.headers).toEqual({ né: 'seen', 'n\ufffd!': 'not seen' });
});

it('reads records as they were written, the last of the headers of a name, and not what was cut off', () =>
  fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 4 }), batch, fc.nat(10_000), async (batches, last, length) => {
      const cut = await encoded(last);
      const whole = await Promise.all(batches.map(encoded));

      const records = await read(Buffer.concat([...whole, cut.subarray(0, Math.min(length, cut.length - 1))]));

      expect(records).toEqual(batches.flatMap(expected));
    }),
  ));

it('reads no batch of a format or a compression that it does not know', async () => {
  const older = await encoded(plain);
  older[formatAt] = 1;
  const compressed = await encoded(plain);
  compressed.writeInt16BE(CompressionTypes.Snappy, attributesAt);

  await expect(read(older)).rejects.toThrow('A record batch has the format 1, not 2');
  await expect(read(compressed)).rejects.toThrow('neither by gzip nor by zstd');
});

it('reads what else an answer tells', async () => {
  const batches = await encoded(plain);
  const partition = (number: number, aborted: readonly Encoder[], records: Buffer | null) =>
    new Encoder()
      .writeInt32(number)
      .writeInt16(3)
      .writeInt64(2 ** 40 + 1)
      .writeInt64(5)
      .writeInt64(0)
      .writeArray(aborted)
      .writeInt32(-1)
      .writeBytes(records);
  const answer = new Encoder()
    .writeInt32(12)
    .writeInt16(0)
    .writeInt32(42)
    .writeArray([
      new Encoder()
        .writeString('events')
        .writeArray([partition(0, [new Encoder().writeInt64(2 ** 33).writeInt64(6)], batches), partition(1, [], null)]),
      new Encoder().writeString('commands').writeArray([partition(9, [], Buffer.alloc(0))]),
    ]);

  const told = { errorCode: 3, highWatermark: '1099511627777', lastStableOffset: '5', lastStartOffset: '0' };
  const nothing = { ...told, abortedTransactions: [], preferredReadReplica: -1, messages: [] };
  expect(await decodeFetch(answer.buffer)).toEqual({
    ...{ throttleTime: 0, clientSideThrottleTime: 12, errorCode: 0, sessionId: 42 },
    responses: [
      {
        topicName: 'events',
        partitions: [
          {
            ...{ ...nothing, partition: 0, abortedTransactions: [{ producerId: '8589934592', firstOffset: '6' }] },
            messages: [expect.objectContaining({ offset: '7', key: 'key' })],
          },
          { ...nothing, partition: 1 },
        ],
      },
      { topicName: 'commands', partitions: [{ ...nothing, partition: 9 }] },
    ],
  });
});
