import { levelOf, mostJoined } from './thinning.ts';

/** Exposures that are kept: some 60 bytes each with 25 fields. */
const mostExposures = 200_000;
/** What is left of them once it was full. */
const leftShare = 0.75;
/** Of that, starts: with fewer exposures beside them nothing tells any more who was shown a variant. */
const mostStarts = 0.5;

/** An exposure as a fit takes it. */
export interface Observation {
  /** By group: the place of its value among the group's columns, from 1; 0 for none. See `placesOf`. */
  readonly places: Uint16Array;
  /** The variant's row. */
  readonly arm: number;
  /** How many exposures it stands for, times the share of their starts that would have come by now. */
  readonly size: number;
  readonly starts: number;
}

/** Of a group, one an exposure. */
export type Places = Uint8Array | Uint16Array;

/** The same as arrays, one number an exposure. */
export interface Observations {
  readonly count: number;
  readonly arms: Uint16Array;
  readonly sizes: Float32Array;
  readonly starts: Float32Array;
  /** By group: of every exposure the place of its value among the group's columns, from 1; 0 for none. */
  readonly places: readonly Uint16Array[];
}

/** The same, as narrow as they are kept elsewhere. */
export type ObservedElsewhere = Omit<Observations, 'places'> & { readonly places: readonly Places[] };

/** A column's place among its group's, 0 of none. Engines look for an element of index -1 by its name, which takes long. */
export const placeIn = (placeOf: ArrayLike<number>, column = -1): number => (column < 0 ? 0 : (placeOf[column] ?? 0));

/** By group: the places of a context's columns. @param placeOf of every column: its place among its group's, from 1 */
export function placesOf(active: Int32Array, placeOf: ArrayLike<number>): Uint16Array {
  const places = new Uint16Array(active.length);
  for (let group = 0; group < active.length; group++) places[group] = placeIn(placeOf, active[group]);
  return places;
}

/**
 * Exposures that a model was learned from, in their order, kept in bounded memory. When it is full, variants make room
 * that have the most: their exposures without a start join the one before them of the same variant, which then stands
 * for all of them. Starts are rare, and tell nearly all that there is to know; where they fill half of it, the oldest
 * leave.
 * @see Fithian and Hastie, Local case-control sampling, Annals of Statistics 42 (2014)
 */
export class ExposureHistory implements Observations {
  readonly #most: number;
  #count = 0;
  #room = 0;
  #arms = new Uint16Array(0);
  #sizes = new Float32Array(0);
  #starts = new Float32Array(0);
  #places: Uint16Array[] = [];

  constructor(most = mostExposures) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  get arms(): Uint16Array {
    return this.#arms;
  }

  get sizes(): Float32Array {
    return this.#sizes;
  }

  get starts(): Float32Array {
    return this.#starts;
  }

  get places(): readonly Uint16Array[] {
    return this.#places;
  }

  add({ places, arm, size, starts }: Observation): void {
    if (this.#count === this.#most) this.#thin();
    while (this.#places.length < places.length) this.#places.push(new Uint16Array(this.#room));
    if (this.#count === this.#room) this.#take(this, Math.max(64, 2 * this.#room));
    const at = this.#count++;
    this.#arms[at] = arm;
    this.#sizes[at] = size;
    this.#starts[at] = starts;
    this.#places.forEach((column, group) => (column[at] = places[group] ?? 0));
  }

  /** Gives the exposures of a variant that share of their weight, and another row (or the same). */
  discount(row: number, to: number, share: number): void {
    for (let at = 0; at < this.#count; at++) {
      if (this.#arms[at] !== row) continue;
      this.#arms[at] = to;
      this.#sizes[at]! *= share;
      this.#starts[at]! *= share;
    }
  }

  /** Takes the place of what is here: copies what another history held. */
  restore(other: Observations): void {
    this.#take(other, other.count);
  }

  /** Copies what a history held (or what is here), into that much room. */
  #take({ count, arms, sizes, starts, places }: Observations, room: number): void {
    const held = <Column extends Uint16Array | Float32Array>(fresh: Column, column: Uint16Array | Float32Array) => {
      fresh.set(column.subarray(0, count));
      return fresh;
    };
    this.#count = count;
    this.#room = room;
    this.#arms = held(new Uint16Array(room), arms);
    this.#sizes = held(new Float32Array(room), sizes);
    this.#starts = held(new Float32Array(room), starts);
    this.#places = places.map((column) => held(new Uint16Array(room), column));
  }

  #thin(): void {
    const left = Math.floor(leftShare * this.#most);
    this.#letLeave(Math.floor(mostStarts * left));
    this.#join(left);
    // More variants than there is room for.
    const gone = this.#count - left;
    this.#keep((at) => at >= gone);
  }

  /** The oldest, with and without a start, of the variants that have the most starts. */
  #letLeave(most: number): void {
    const starts = new Map<number, number>();
    for (let at = 0; at < this.#count; at++)
      if (this.#starts[at] !== 0) starts.set(this.#arms[at]!, (starts.get(this.#arms[at]!) ?? 0) + 1);
    const level = levelOf([...starts.values()], most);
    this.#keep((at) => {
      const ofArm = starts.get(this.#arms[at]!) ?? 0;
      if (ofArm <= level) return true;
      if (this.#starts[at] !== 0) starts.set(this.#arms[at]!, ofArm - 1);
      return false;
    });
  }

  /** Lets exposures without a start join the one before them of their variant, of the variants that have the most. */
  #join(left: number): void {
    const sizes = this.#sizesWithoutStart();
    const rows = Array.from(sizes.values(), ({ length }) => length);
    const level = levelOf(rows, left - (this.#count - rows.reduce((sum, count) => sum + count, 0)));
    const most = new Map(Array.from(sizes, ([arm, ofArm]) => [arm, mostJoined(ofArm, level)]));
    const open = new Map<number, number>();
    let kept = 0;
    this.#keep((at) => {
      const [arm, size] = [this.#arms[at]!, this.#sizes[at]!];
      const isStart = this.#starts[at] !== 0;
      const before = isStart ? undefined : open.get(arm);
      if (before !== undefined && this.#sizes[before]! + size <= most.get(arm)!) {
        this.#sizes[before]! += size;
        return false;
      }
      if (!isStart) open.set(arm, kept);
      kept++;
      return true;
    });
  }

  /** By variant, in their order. */
  #sizesWithoutStart(): ReadonlyMap<number, readonly number[]> {
    const sizes = new Map<number, number[]>();
    for (let at = 0; at < this.#count; at++) {
      if (this.#starts[at] !== 0) continue;
      const ofArm = sizes.get(this.#arms[at]!);
      if (ofArm === undefined) sizes.set(this.#arms[at]!, [this.#sizes[at]!]);
      else ofArm.push(this.#sizes[at]!);
    }
    return sizes;
  }

  /** @param isKept asked of each in order, when those before it are where they stay */
  #keep(isKept: (at: number) => boolean): void {
    const columns = [this.#arms, this.#sizes, this.#starts, ...this.#places];
    let kept = 0;
    for (let at = 0; at < this.#count; at++) {
      if (!isKept(at)) continue;
      if (at !== kept) for (const column of columns) column[kept] = column[at]!;
      kept++;
    }
    this.#count = kept;
  }
}
