import { roomFor } from '../numbers/room-for.ts';
import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';

const arrays = { float64: Float64Array, uint32: Uint32Array, uint16: Uint16Array, uint8: Uint8Array } as const;
type NumberKind = keyof typeof arrays;
type Column = Float64Array | Uint32Array | Uint16Array | Uint8Array;

/** Rows of numbers, a typed array a column, with room for a fourth more at most. None is ever removed. */
export class GrowingColumns<Name extends string> {
  readonly #kinds: Readonly<Record<Name, NumberKind>>;
  readonly #names: readonly Name[];
  #count = 0;
  #room = 0;
  #columns: Readonly<Record<Name, Column>>;

  constructor(kinds: Readonly<Record<Name, NumberKind>>) {
    this.#kinds = kinds;
    this.#names = Object.keys(kinds) as Name[];
    this.#columns = this.#made((name) => new arrays[kinds[name]](0));
  }

  get count(): number {
    return this.#count;
  }

  /** Until the next `push`. */
  get columns(): Readonly<Record<Name, Column>> {
    return this.#columns;
  }

  /** @returns its place */
  push(row: Readonly<Record<Name, number>>): number {
    if (this.#count === this.#room) this.#grow();
    const at = this.#count++;
    for (const name of this.#names) this.#columns[name][at] = row[name];
    return at;
  }

  write(writer: ByteWriter): void {
    for (const name of this.#names) {
      const column = this.#columns[name].subarray(0, this.#count);
      if (column instanceof Float64Array) writer.float64s(column);
      else if (column instanceof Uint32Array) writer.int32s(column);
      else if (column instanceof Uint16Array) writer.uint16s(column);
      else writer.uint8s(column);
    }
  }

  /** Takes what `write` wrote for what is here. */
  read(reader: ByteReader): void {
    this.#columns = this.#made((name) => {
      const kind = this.#kinds[name];
      if (kind === 'float64') return reader.float64s();
      if (kind === 'uint32') return Uint32Array.from(reader.int32s());
      return kind === 'uint16' ? reader.uint16s() : reader.uint8s();
    });
    this.#count = this.#room = this.#columns[this.#names[0]!].length;
  }

  #grow(): void {
    const before = this.#columns;
    this.#room = Math.max(64, roomFor(this.#room));
    this.#columns = this.#made((name) => {
      const grown = new arrays[this.#kinds[name]](this.#room);
      grown.set(before[name]);
      return grown;
    });
  }

  #made(make: (name: Name) => Column): Record<Name, Column> {
    return Object.fromEntries(this.#names.map((name) => [name, make(name)])) as Record<Name, Column>;
  }
}
