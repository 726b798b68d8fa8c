import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import Encoder from 'kafkajs/src/protocol/encoder.js';
import { encodeInSmallBuffers } from './small-encoders.ts';

const { writeUVarInt, writeVarLong } = Encoder.prototype;
const { sizeOfVarLong } = Encoder;
encodeInSmallBuffers();

/** What a text is by the protocol: its length in two bytes, and its bytes. */
const written = (text: string) => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

describe('an encoder', () => {
  it('holds what was written, and nothing else, however much it is', () => {
    // Long ones are of one character, again and again: what matters of them is how long they are.
    const repeated = fc
      .tuple(fc.constantFrom('a', 'é', '😀'), fc.nat({ max: 350 }))
      .map(([character, times]) => character.repeat(times));
    const texts = fc.array(fc.oneof(fc.string({ unit: anyCharacter }), repeated), { maxLength: 20 });
    fc.assert(
      fc.property(texts, (all) => {
        const encoder = new Encoder();
        for (const text of all) encoder.writeString(text);
        expect(encoder.buffer.toString('hex')).toBe(Buffer.concat(all.map(written)).toString('hex'));
      }),
    );
  });

  it('holds what other encoders hold, and goes on by itself', () => {
    const parts = ['a', 'b'.repeat(200), ''].map((text) => new Encoder().writeString(text));
    const whole = new Encoder();
    for (const part of parts) whole.writeEncoder(part);
    parts[0]!.writeString('behind');

    expect(whole.buffer).toEqual(Buffer.concat(['a', 'b'.repeat(200), ''].map(written)));
    expect(parts[0]!.buffer).toEqual(Buffer.concat(['a', 'behind'].map(written)));
  });

  it('takes no memory before something is written, and then little', () => {
    const encoder = new Encoder();
    expect(encoder.buf).toHaveLength(0);
    encoder.writeString('content-type');
    expect(encoder.buf.length).toBeLessThan(128);
  });

  it('writes numbers as kafkajs does', () => {
    const borders = [7, 14, 21, 28, 29, 30, 31].flatMap((bits) => [2 ** bits - 1, 2 ** bits, -(2 ** bits)]);
    const integers = fc.oneof(fc.constantFrom(...borders), fc.integer());
    const written = (write: (encoder: Encoder) => unknown) => {
      const encoder = new Encoder();
      write(encoder);
      return encoder.buffer.toString('hex');
    };
    fc.assert(
      fc.property(integers, (value) => {
        expect(written((encoder) => encoder.writeUVarInt(value))).toBe(
          written((encoder) => writeUVarInt.call(encoder, value)),
        );
        expect(written((encoder) => encoder.writeVarLong(value))).toBe(
          written((encoder) => writeVarLong.call(encoder, value)),
        );
        expect(Encoder.sizeOfVarLong(value)).toBe(sizeOfVarLong.call(Encoder, value));
      }),
    );
    const beyond = 2 ** 40;
    expect(written((encoder) => encoder.writeVarLong(beyond))).toBe('808080808040');
    expect(Encoder.sizeOfVarLong(beyond)).toBe(6);
  });
});
