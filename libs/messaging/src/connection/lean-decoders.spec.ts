import { expect, it } from '@jest/globals';
import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import Encoder from 'kafkajs/src/protocol/encoder.js';
import Record from 'kafkajs/src/protocol/recordBatch/record/v0/index.js';
import { RecordBatch } from 'kafkajs/src/protocol/recordBatch/v0/index.js';
import decodeMessages from 'kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js';
import { decodeWithoutCopies } from './lean-decoders.ts';

decodeWithoutCopies();

interface Written {
  readonly delta: number;
  readonly key: string | null;
  readonly value: string | null;
  readonly headers: readonly (readonly [name: string, values: readonly string[]])[];
}

const firstTimestamp = Date.UTC(2026, 0, 1);

/** What a client reads of records that were written so. */
async function readBack(written: readonly Written[]) {
  const records = written.map(({ delta, headers, ...record }, offsetDelta) =>
    Record({ ...record, offsetDelta, timestampDelta: delta, headers: Object.fromEntries(headers) }),
  );
  const lastOffsetDelta = written.length - 1;
  const batch = await RecordBatch({ firstTimestamp, maxTimestamp: firstTimestamp, lastOffsetDelta, records });
  const messages = await decodeMessages(new Decoder(new Encoder().writeBytes(batch.buffer).buffer));
  return messages.map(({ offset, timestamp, key, value, headers }) => ({
    ...{ offset, timestamp, headers },
    ...{ key: key?.toString() ?? null, value: value?.toString() ?? null },
  }));
}

const text = fc.string({ unit: anyCharacter });
const name = fc.oneof(fc.constantFrom('ce_id', 'ce_ix', 'ce_type', ''), text).filter((one) => one !== '__proto__');
const written = fc.record({
  delta: fc.oneof(fc.nat(300), fc.integer(), fc.maxSafeInteger()),
  key: fc.option(text),
  value: fc.option(text),
  headers: fc.uniqueArray(fc.tuple(name, fc.array(text, { minLength: 1, maxLength: 3 })), {
    maxLength: 40,
    selector: ([of]) => of,
  }),
});

it('reads records as they were written, the last of the headers of a name', () =>
  fc.assert(
    fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 8 }), async (all) => {
      const expected = all.map(({ delta, key, value, headers }, index) => ({
        ...{ offset: String(index), timestamp: String(BigInt(firstTimestamp) + BigInt(delta)), key, value },
        headers: Object.fromEntries(headers.map(([of, values]) => [of, values.at(-1)])),
      }));
      expect(await readBack(all)).toEqual(expected);
    }),
  ));
