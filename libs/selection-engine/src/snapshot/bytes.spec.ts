import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

describe('what is written', () => {
  it('is read again, however long', () => {
    const length = { maxLength: 2_000 };
    const text = fc.string({ unit: 'grapheme', ...length });
    const floats = fc.float32Array({ noNaN: true, ...length });
    const shorts = fc.uint16Array(length);
    const doubles = fc.float64Array({ noNaN: true, ...length });
    const octets = fc.uint8Array(length);
    const wholes = fc.int32Array(length);
    const items = fc.array(fc.string(), { maxLength: 25 });
    fc.assert(
      fc.property(
        text,
        shorts,
        floats,
        doubles,
        fc.nat(),
        octets,
        wholes,
        items,
        (name, places, singles, numbers, count, bytes, whole, list) => {
          const writer = new ByteWriter();
          writer.text(name);
          writer.float64s(numbers);
          writer.uint32(count);
          writer.float32s(singles);
          writer.uint16s(places);
          writer.uint8s(bytes);
          writer.int32s(whole);
          writer.jsons(list, 10);
          writer.json({ name });
          // Behind a byte that is not theirs: a reader must not take the whole buffer.
          const reader = new ByteReader(Uint8Array.of(0, ...writer.bytes()).subarray(1));
          expect(reader.text()).toBe(name);
          expect(reader.float64s()).toEqual(numbers);
          expect(reader.uint32()).toBe(count);
          expect(reader.float32s()).toEqual(singles);
          expect(reader.uint16s()).toEqual(places);
          expect(reader.uint8s()).toEqual(bytes);
          expect(reader.int32s()).toEqual(whole);
          expect(reader.jsons()).toEqual(list);
          expect(reader.json()).toEqual({ name });
          expect(() => reader.end()).not.toThrow();
        },
      ),
    );
  });
});
