import { roomFor } from '../numbers/room-for.ts';
import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';

/** So many are made a text at once, as functions take only so many arguments. */
const atOnce = 4_096;

/**
 * Texts behind each other in one array, each behind its length: a byte a character where all are of Latin-1, as ids are, else
 * two. By itself a text takes 20 bytes more. Any text comes back as it was.
 */
export class PackedTexts {
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;

  /** @returns its place */
  add(text: string): number {
    const place = this.#length;
    const isWide = isBeyondLatin(text);
    let head = 2 * text.length + (isWide ? 1 : 0);
    this.#makeRoom(5 + (isWide ? 2 : 1) * text.length);
    for (; head >= 128; head = Math.floor(head / 128)) this.#bytes[this.#length++] = 128 + (head % 128);
    this.#bytes[this.#length++] = head;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      this.#bytes[this.#length++] = unit & 255;
      if (isWide) this.#bytes[this.#length++] = unit >> 8;
    }
    return place;
  }

  at(place: number): string {
    const { first, count, isWide } = this.#headAt(place);
    if (!isWide && count <= atOnce) return textOf(this.#bytes.subarray(first, first + count));
    let text = '';
    for (let index = 0; index < count; index += atOnce) {
      const units = Uint16Array.from({ length: Math.min(atOnce, count - index) }, (_, unit) =>
        this.#unitAt(first, index + unit, isWide),
      );
      text += textOf(units);
    }
    return text;
  }

  is(place: number, text: string): boolean {
    const { first, count, isWide } = this.#headAt(place);
    if (count !== text.length) return false;
    for (let index = 0; index < count; index++)
      if (this.#unitAt(first, index, isWide) !== text.charCodeAt(index)) return false;
    return true;
  }

  write(writer: ByteWriter): void {
    writer.uint8s(this.#bytes.subarray(0, this.#length));
  }

  /** Takes what `write` wrote for what is here. */
  read(reader: ByteReader): void {
    this.#bytes = reader.uint8s();
    this.#length = this.#bytes.length;
  }

  #headAt(place: number) {
    let [head, factor, first] = [0, 1, place];
    for (; this.#bytes[first]! >= 128; factor *= 128) head += factor * (this.#bytes[first++]! - 128);
    head += factor * this.#bytes[first++]!;
    return { first, count: Math.floor(head / 2), isWide: head % 2 === 1 };
  }

  #unitAt(first: number, index: number, isWide: boolean): number {
    if (!isWide) return this.#bytes[first + index]!;
    return this.#bytes[first + 2 * index]! + 256 * this.#bytes[first + 2 * index + 1]!;
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(1_024, roomFor(needed)));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

const textOf = (units: Uint8Array | Uint16Array): string =>
  String.fromCharCode.apply(null, units as unknown as number[]);

function isBeyondLatin(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 255) return true;
  return false;
}
