import { roomFor } from '../numbers/room-for.ts';

/** Bytes in a fixed spelling: little-endian numbers, texts as UTF-8 behind their length. */
export class ByteWriter {
  #bytes = new Uint8Array(1_024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  json(value: unknown): void {
    this.text(JSON.stringify(value));
  }

  /** However many they are: so many in a text, as V8's have a longest length. */
  jsons(values: readonly unknown[], inAText = 10_000): void {
    this.uint32(Math.ceil(values.length / inAText));
    for (let at = 0; at < values.length; at += inAText) this.json(values.slice(at, at + inAText));
  }

  text(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.uint32(bytes.length);
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  uint32(number: number): void {
    const at = this.#room(4);
    this.#view.setUint32(at, number, true);
  }

  uint8s(numbers: Uint8Array): void {
    this.uint32(numbers.length);
    const at = this.#room(numbers.length);
    this.#bytes.set(numbers, at);
  }

  uint16s(numbers: ArrayLike<number>): void {
    this.uint32(numbers.length);
    let at = this.#room(2 * numbers.length);
    for (let index = 0; index < numbers.length; index++, at += 2) this.#view.setUint16(at, numbers[index]!, true);
  }

  int32s(numbers: ArrayLike<number>): void {
    this.uint32(numbers.length);
    let at = this.#room(4 * numbers.length);
    for (let index = 0; index < numbers.length; index++, at += 4) this.#view.setInt32(at, numbers[index]!, true);
  }

  float32s(numbers: ArrayLike<number>): void {
    this.uint32(numbers.length);
    let at = this.#room(4 * numbers.length);
    for (let index = 0; index < numbers.length; index++, at += 4) this.#view.setFloat32(at, numbers[index]!, true);
  }

  float64s(numbers: ArrayLike<number>): void {
    this.uint32(numbers.length);
    let at = this.#room(8 * numbers.length);
    for (let index = 0; index < numbers.length; index++, at += 8) this.#view.setFloat64(at, numbers[index]!, true);
  }

  bytes(): Uint8Array {
    return this.written().slice();
  }

  /** The bytes so far, not copied: until more are written. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Where that many bytes may be written. */
  #room(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(roomFor(this.#length));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}
