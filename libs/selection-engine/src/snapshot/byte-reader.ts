/** Reads what `ByteWriter` wrote. Every method throws RangeError where the bytes end too early. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** @throws SyntaxError if the text is no JSON */
  json(): unknown {
    return JSON.parse(this.text());
  }

  /** @throws SyntaxError if a text is no JSON */
  jsons(): readonly unknown[] {
    // Written as arrays.
    return Array.from({ length: this.uint32() }, () => this.json() as readonly unknown[]).flat();
  }

  text(): string {
    const length = this.uint32();
    const at = this.#take(length);
    return new TextDecoder('utf-8', { fatal: true }).decode(this.#bytes.subarray(at, at + length));
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  uint8s(): Uint8Array {
    const length = this.uint32();
    const at = this.#take(length);
    // Copied, also of a `Buffer`, whose `slice` is not.
    return new Uint8Array(this.#bytes.subarray(at, at + length));
  }

  uint16s(): Uint16Array {
    const length = this.uint32();
    const at = this.#take(2 * length);
    return Uint16Array.from({ length }, (_, index) => this.#view.getUint16(at + 2 * index, true));
  }

  int32s(): Int32Array {
    const length = this.uint32();
    const at = this.#take(4 * length);
    return Int32Array.from({ length }, (_, index) => this.#view.getInt32(at + 4 * index, true));
  }

  float32s(): Float32Array {
    const length = this.uint32();
    const at = this.#take(4 * length);
    return Float32Array.from({ length }, (_, index) => this.#view.getFloat32(at + 4 * index, true));
  }

  float64s(): Float64Array {
    const length = this.uint32();
    const at = this.#take(8 * length);
    return Float64Array.from({ length }, (_, index) => this.#view.getFloat64(at + 8 * index, true));
  }

  /** @throws RangeError if bytes are left */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new RangeError('More bytes than were written.');
  }

  #take(bytes: number): number {
    const at = this.#at;
    this.#at += bytes;
    if (this.#at > this.#bytes.length) throw new RangeError('Fewer bytes than were written.');
    return at;
  }
}
