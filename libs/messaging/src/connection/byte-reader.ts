/** A byte of a number of variable length below it is the number's last. */
const moreFollows = 0x80;

/** Reads what Kafka's protocol writes, one after the other. Numbers of 64 bits are exact up to 2^53. */
export class ByteReader {
  readonly bytes: Buffer;
  /** Of the next byte to read. */
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  int8(): number {
    return this.bytes.readInt8(this.#pass(1));
  }

  int16(): number {
    return this.bytes.readInt16BE(this.#pass(2));
  }

  int32(): number {
    return this.bytes.readInt32BE(this.#pass(4));
  }

  int64(): number {
    return this.int32() * 2 ** 32 + this.bytes.readUInt32BE(this.#pass(4));
  }

  /** A number of variable length: of 32 bits or 64. The lowest bit tells whether it is below zero. */
  varint(): number {
    let byte = this.bytes[this.at++]!;
    const isNegative = (byte & 1) === 1;
    let value = (byte & 0x7f) >> 1;
    for (let unit = 0x40; byte >= moreFollows; unit *= 0x80) {
      byte = this.bytes[this.at++]!;
      value += (byte & 0x7f) * unit;
    }
    return isNegative ? -value - 1 : value;
  }

  slice(length: number): Buffer {
    return this.bytes.subarray(this.at, (this.at += length));
  }

  text(length: number): string {
    return this.bytes.toString('utf8', this.at, (this.at += length));
  }

  /** @param readItem reads one of as many as a number before them says; there are none where that is below zero */
  array<Item>(readItem: () => Item): Item[] {
    return Array.from({ length: Math.max(0, this.int32()) }, readItem);
  }

  #pass(length: number): number {
    const start = this.at;
    this.at += length;
    return start;
  }
}
