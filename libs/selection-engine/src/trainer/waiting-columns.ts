import type { Observations, Places } from '../learning/exposure-history.ts';
import { hash64, type Hash64 } from '../numbers/hash64.ts';
import { isTooRoomy, roomFor } from '../numbers/room-for.ts';
import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';
import { numberOfSide, orNaN, orNull, sideOf } from './as-numbers.ts';
import type { NewExposure, WaitingExposure } from './waiting-exposure.ts';

const doubles = ['at', 'arrivedAt', 'share', 'logValue', 'predicted', 'given'] as const;
const shorts = ['arm', 'starts'] as const;
const bytes = ['discounts', 'marks'] as const;
/** In `marks`: 2 bits for the number of the side; 2 for 1 + the bin of the delay, 0 without a start; 1 if compared. */
const [delayShift, comparedShift, twoBits] = [2, 4, 3];

/** Exposures as fits go over all of them, again and again: columns as they are, since views cost more than all else there. */
export interface Shown extends Pick<Observations, 'count' | 'arms'> {
  readonly places: readonly Places[];
  readonly at: Float64Array;
  readonly share: Float64Array;
  readonly starts: Uint16Array;
  readonly discounts: Uint8Array;
  /** See `sideIn`, `delayBinIn`, `isComparedIn`. */
  readonly marks: Uint8Array;
}

export const sideIn = (marks: number): WaitingExposure['side'] => sideOf(marks & twoBits);

export function delayBinIn(marks: number): number | null {
  const bin = (marks >> delayShift) & twoBits;
  return bin === 0 ? null : bin - 1;
}

export const isComparedIn = (marks: number): boolean => marks >> comparedShift === 1;

/** One number an exposure. */
interface Columns {
  /** Two numbers an exposure: the hash of its id. */
  readonly ids: Uint32Array;
  readonly doubles: Readonly<Record<(typeof doubles)[number], Float64Array>>;
  readonly shorts: Readonly<Record<(typeof shorts)[number], Uint16Array>>;
  readonly bytes: Readonly<Record<(typeof bytes)[number], Uint8Array>>;
  /** By group: of a byte each until one does not fit. */
  readonly places: readonly Places[];
}

/**
 * Exposures as columns: 62 bytes each and one or two more a field, while there is room for a fourth more at most. Many wait, for 14
 * days, and as objects with texts for ids each took 660. Of an id its hash is kept: that two of a hundred million are the
 * same has a chance of 3 in 10,000.
 */
export class WaitingColumns implements Iterable<WaitingExposure> {
  #count = 0;
  #room = 0;
  #columns: Columns = madeOf(0, []);

  get count(): number {
    return this.#count;
  }

  get columns(): Columns {
    return this.#columns;
  }

  /** One of them, as it is here: what is written to it stays. Until the next `push` or `dropFirst`. */
  at(slot: number): WaitingExposure {
    return new KeptExposure(this, slot);
  }

  [Symbol.iterator](): Iterator<WaitingExposure> {
    return this.from(0);
  }

  /** Those from a slot on. No generator, as many are gone over again and again. */
  from(first: number): Iterator<WaitingExposure> {
    let slot = first;
    return {
      next: () => (slot < this.#count ? { done: false, value: this.at(slot++) } : { done: true, value: undefined }),
    };
  }

  /** @returns its slot */
  push(exposure: NewExposure): number {
    if (this.#count === this.#room) this.#resize(Math.max(64, roomFor(this.#room)));
    const { places } = exposure;
    if (places.length > this.#columns.places.length) this.#addGroups(places.length);
    if (this.#columns.places.some((column, group) => !fits(column, places[group] ?? 0))) this.#widen(places);
    const slot = this.#count++;
    const { ids, doubles: numbers, shorts: counts } = this.#columns;
    const { discounts, marks } = this.#columns.bytes;
    const { high, low } = hash64(exposure.id);
    [ids[2 * slot], ids[2 * slot + 1]] = [high, low];
    for (const name of doubles) numbers[name][slot] = orNaN(exposure[name]);
    for (const name of shorts) counts[name][slot] = exposure[name];
    discounts[slot] = exposure.discounts;
    marks[slot] = marksOf(exposure.side, exposure.delayBin, exposure.isCompared);
    this.#columns.places.forEach((column, group) => (column[slot] = places[group] ?? 0));
    return slot;
  }

  /** Those from a slot on. Shared, not copied. */
  shown(first = 0): Shown {
    const { doubles: numbers, shorts: counts, bytes: small, places } = this.#columns;
    const last = this.#count;
    return {
      count: last - first,
      arms: counts.arm.subarray(first, last),
      places: places.map((column) => column.subarray(first, last)),
      at: numbers.at.subarray(first, last),
      share: numbers.share.subarray(first, last),
      starts: counts.starts.subarray(first, last),
      discounts: small.discounts.subarray(first, last),
      marks: small.marks.subarray(first, last),
    };
  }

  isOf(slot: number, { high, low }: Hash64): boolean {
    const { ids } = this.#columns;
    return ids[2 * slot] === high && ids[2 * slot + 1] === low;
  }

  idAt(slot: number): Hash64 {
    const { ids } = this.#columns;
    return { high: ids[2 * slot]!, low: ids[2 * slot + 1]! };
  }

  dropFirst(count: number): void {
    for (const column of allOf(this.#columns)) column.copyWithin(0, count, this.#count);
    this.#columns.ids.copyWithin(0, 2 * count, 2 * this.#count);
    this.#count -= count;
    if (isTooRoomy(this.#room, this.#count)) this.#resize(roomFor(this.#count));
  }

  /** The same ones in another order. @param order their slots */
  inOrder(order: Uint32Array): WaitingColumns {
    const ordered = new WaitingColumns();
    ordered.#columns = madeOf(order.length, this.#columns.places);
    [ordered.#count, ordered.#room] = [order.length, order.length];
    const [from, to] = [allOf(this.#columns), allOf(ordered.#columns)];
    order.forEach((slot, at) => {
      from.forEach((column, index) => (to[index]![at] = column[slot]!));
      for (const half of [0, 1]) ordered.#columns.ids[2 * at + half] = this.#columns.ids[2 * slot + half]!;
    });
    return ordered;
  }

  write(writer: ByteWriter): void {
    const { ids, doubles: numbers, shorts: counts, bytes: marks, places } = this.#columns;
    const count = this.#count;
    writer.int32s(ids.subarray(0, 2 * count));
    for (const name of doubles) writer.float64s(numbers[name].subarray(0, count));
    for (const name of shorts) writer.uint16s(counts[name].subarray(0, count));
    for (const name of bytes) writer.uint8s(marks[name].subarray(0, count));
    writer.uint32(places.length);
    for (const column of places) {
      writer.uint32(column.BYTES_PER_ELEMENT);
      if (column instanceof Uint8Array) writer.uint8s(column.subarray(0, count));
      else writer.uint16s(column.subarray(0, count));
    }
  }

  /** Reads what `write` wrote. */
  static read(reader: ByteReader): WaitingColumns {
    const read = new WaitingColumns();
    const ids = Uint32Array.from(reader.int32s());
    read.#columns = {
      ids,
      doubles: named(doubles, () => reader.float64s()),
      shorts: named(shorts, () => reader.uint16s()),
      bytes: named(bytes, () => reader.uint8s()),
      places: Array.from({ length: reader.uint32() }, () =>
        reader.uint32() === 1 ? reader.uint8s() : reader.uint16s(),
      ),
    };
    [read.#count, read.#room] = [ids.length / 2, ids.length / 2];
    return read;
  }

  #resize(room: number): void {
    const { ids, places } = this.#columns;
    const resized = madeOf(room, places);
    resized.ids.set(ids.subarray(0, 2 * this.#count));
    const from = allOf(this.#columns);
    allOf(resized).forEach((column, index) => column.set(from[index]!.subarray(0, this.#count)));
    [this.#columns, this.#room] = [resized, room];
  }

  /** A custom field that became one: those before it have no value of it. */
  #addGroups(count: number): void {
    const { places, ...others } = this.#columns;
    const added = Array.from({ length: count - places.length }, () => new Uint8Array(this.#room));
    this.#columns = { ...others, places: [...places, ...added] };
  }

  /** Columns that are too narrow for one of these places. */
  #widen(places: Uint16Array): void {
    const widened = this.#columns.places.map((column, group) =>
      fits(column, places[group] ?? 0) ? column : Uint16Array.from(column),
    );
    this.#columns = { ...this.#columns, places: widened };
  }
}

/** An exposure where it is kept. */
class KeptExposure implements WaitingExposure {
  readonly #kept: WaitingColumns;
  readonly #slot: number;

  constructor(kept: WaitingColumns, slot: number) {
    this.#kept = kept;
    this.#slot = slot;
  }

  get at(): number {
    return this.#kept.columns.doubles.at[this.#slot]!;
  }

  get arrivedAt(): number {
    return this.#kept.columns.doubles.arrivedAt[this.#slot]!;
  }

  set arrivedAt(time: number) {
    this.#kept.columns.doubles.arrivedAt[this.#slot] = time;
  }

  get share(): number {
    return this.#kept.columns.doubles.share[this.#slot]!;
  }

  get logValue(): number | null {
    return orNull(this.#kept.columns.doubles.logValue[this.#slot]!);
  }

  get predicted(): number {
    return this.#kept.columns.doubles.predicted[this.#slot]!;
  }

  set predicted(starts: number) {
    this.#kept.columns.doubles.predicted[this.#slot] = starts;
  }

  get given(): number {
    return this.#kept.columns.doubles.given[this.#slot]!;
  }

  set given(share: number) {
    this.#kept.columns.doubles.given[this.#slot] = share;
  }

  get discounts(): number {
    return this.#kept.columns.bytes.discounts[this.#slot]!;
  }

  set discounts(count: number) {
    this.#kept.columns.bytes.discounts[this.#slot] = count;
  }

  get arm(): number {
    return this.#kept.columns.shorts.arm[this.#slot]!;
  }

  set arm(row: number) {
    this.#kept.columns.shorts.arm[this.#slot] = row;
  }

  get starts(): number {
    return this.#kept.columns.shorts.starts[this.#slot]!;
  }

  set starts(count: number) {
    this.#kept.columns.shorts.starts[this.#slot] = count;
  }

  get side(): WaitingExposure['side'] {
    return sideIn(this.#marks);
  }

  get delayBin(): number | null {
    return delayBinIn(this.#marks);
  }

  set delayBin(bin: number | null) {
    this.#kept.columns.bytes.marks[this.#slot] = marksOf(this.side, bin, this.isCompared);
  }

  get isCompared(): boolean {
    return isComparedIn(this.#marks);
  }

  set isCompared(isCompared: boolean) {
    this.#kept.columns.bytes.marks[this.#slot] = marksOf(this.side, this.delayBin, isCompared);
  }

  get places(): Uint16Array {
    const columns = this.#kept.columns.places;
    const places = new Uint16Array(columns.length);
    for (let group = 0; group < places.length; group++) places[group] = columns[group]![this.#slot]!;
    return places;
  }

  get #marks(): number {
    return this.#kept.columns.bytes.marks[this.#slot]!;
  }
}

const marksOf = (side: WaitingExposure['side'], delayBin: number | null, isCompared: boolean): number =>
  numberOfSide(side) | ((delayBin === null ? 0 : 1 + delayBin) << delayShift) | (Number(isCompared) << comparedShift);

const named = <Name extends string, Column>(names: readonly Name[], make: () => Column) =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Column>;

const fits = (column: Places, place: number): boolean => place < 256 || column instanceof Uint16Array;

/** @param places of which width those are to be */
const madeOf = (room: number, places: readonly Places[]): Columns => ({
  ids: new Uint32Array(2 * room),
  doubles: named(doubles, () => new Float64Array(room)),
  shorts: named(shorts, () => new Uint16Array(room)),
  bytes: named(bytes, () => new Uint8Array(room)),
  places: places.map((column) => (column instanceof Uint8Array ? new Uint8Array(room) : new Uint16Array(room))),
});

/** All but the ids, which have two numbers an exposure. */
const allOf = (columns: Columns): readonly (Float64Array | Uint16Array | Uint8Array)[] => [
  ...Object.values(columns.doubles),
  ...Object.values(columns.shorts),
  ...Object.values(columns.bytes),
  ...columns.places,
];
