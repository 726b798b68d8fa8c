import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteReader } from '../snapshot/byte-reader.ts';
import { ByteWriter } from '../snapshot/byte-writer.ts';
import { PackedTexts } from './packed-texts.ts';

const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 });
const texts = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  units.map((some) => String.fromCharCode(...some)),
  fc.constantFrom('x'.repeat(10_000), 'ß'.repeat(63), 'ж'.repeat(9_000), '😀'),
);

it('gives any text back as it was, also behind others and from bytes', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 8 }), (all) => {
      const packed = new PackedTexts();
      const places = all.map((text) => packed.add(text));
      const writer = new ByteWriter();
      packed.write(writer);
      const read = new PackedTexts();
      read.read(new ByteReader(writer.bytes()));
      places.push(read.add('one more'));
      [...all, 'one more'].forEach((text, index) => {
        expect(read.at(places[index]!)).toBe(text);
        expect(read.is(places[index]!, text)).toBe(true);
        expect(read.is(places[index]!, `${text}.`)).toBe(false);
        if (text !== '') expect(read.is(places[index]!, `${text.slice(0, -1)}\0`)).toBe(text.endsWith('\0'));
      });
    }),
  );
});

it('finds the first of texts that are the same', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(texts, fc.constantFrom('', 'a', 'ab', 'ж')), { maxLength: 20 }), (all) => {
      const packed = new PackedTexts();
      const places = Uint32Array.from(all, (text) => packed.add(text));
      expect([...packed.firsts(places)]).toEqual(all.map((text) => all.indexOf(text)));
    }),
  );
});
