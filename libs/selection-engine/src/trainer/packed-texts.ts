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

  /** Of texts at places: for each the index of the first of them that is the same text. */
  firsts(places: Uint32Array): Uint32Array {
    const firsts = new Uint32Array(places.length);
    /** 1 + an index; 0 of a free one. Twice as many as texts at least: the next free one is near. */
    const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * places.length + 2)));
    const mask = table.length - 1;
    for (let index = 0; index < places.length; index++) {
      const [from, to] = [places[index]!, this.#endOf(places[index]!)];
      let at = this.#hashOf(from, to) & mask;
      while (table[at] !== 0 && !this.#isSame(places[table[at]! - 1]!, from, to)) at = (at + 1) & mask;
      if (table[at] === 0) table[at] = 1 + index;
      firsts[index] = table[at]! - 1;
    }
    return firsts;
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

  /** Behind the last byte of a text. */
  #endOf(place: number): number {
    const { first, count, isWide } = this.#headAt(place);
    return first + (isWide ? 2 : 1) * count;
  }

  /** Of bytes (FNV-1a). */
  #hashOf(from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ this.#bytes[at]!, 0x01000193);
    return hash ^ (hash >>> 15);
  }

  /** Whether a text has these bytes, of which the first ones tell how many there are. */
  #isSame(place: number, from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (this.#bytes[at] !== this.#bytes[place + at - from]) return false;
    return true;
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
