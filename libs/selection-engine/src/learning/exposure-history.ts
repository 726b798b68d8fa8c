/** Exposures that are kept: some 60 bytes each with 25 fields. */
const mostExposures = 200_000;
/** What is left of them once it was full. */
const leftShare = 0.75;
/** Of the room: fewer without a start do not tell any more who was shown a variant, and the oldest leave instead. */
const leastWithoutStart = 0.375;
/** So many of a variant's exposures stand for no more than it is measured by: single ones may stand for hundreds. */
const measuredShare = 0.9;

/** An exposure as a fit takes it. */
export interface Observation {
  /** The intercept and one column a field; -1 is a value that counts for nothing. */
  readonly active: Int32Array;
  /** The variant's row. */
  readonly arm: number;
  /** How many exposures it stands for, times the share of their starts that would have come by now. */
  readonly size: number;
  readonly starts: number;
}

/** The same as arrays, one number an exposure. */
export interface Observations {
  readonly count: number;
  readonly arms: Uint16Array;
  readonly sizes: Float32Array;
  readonly starts: Float32Array;
  /** By group: of every exposure the place of its value among the group's columns, from 1; 0 for none. */
  readonly places: readonly Uint16Array[];
}

/**
 * Exposures that a model was learned from, in their order, kept in bounded memory. When it is full, exposures
 * without a start join the one before them of the same variant, which then stands for all of them: starts are rare, and
 * tell nearly all that there is to know. Where starts themselves fill it, the oldest leave.
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

  /** @param placeOf of every column: its place among its group's, from 1 */
  add({ active, arm, size, starts }: Observation, placeOf: ArrayLike<number>): void {
    if (this.#count === this.#most) this.#thin();
    while (this.#places.length < active.length) this.#places.push(new Uint16Array(this.#room));
    if (this.#count === this.#room) this.#makeRoom(Math.max(64, 2 * this.#room));
    const at = this.#count++;
    this.#arms[at] = arm;
    this.#sizes[at] = size;
    this.#starts[at] = starts;
    this.#places.forEach((column, group) => (column[at] = placeOf[active[group] ?? -1] ?? 0));
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

  /** These and others behind them, as a history of its own. */
  with(others: Iterable<Observation>, placeOf: ArrayLike<number>): ExposureHistory {
    const joined = new ExposureHistory(Infinity);
    joined.restore(this);
    for (const one of others) joined.add(one, placeOf);
    return joined;
  }

  /** Takes the place of what is here: copies what another history held. */
  restore({ count, arms, sizes, starts, places }: Observations): void {
    this.#count = count;
    this.#room = count;
    this.#arms = arms.slice(0, count);
    this.#sizes = sizes.slice(0, count);
    this.#starts = starts.slice(0, count);
    this.#places = places.map((column) => column.slice(0, count));
  }

  #thin(): void {
    const left = Math.floor(leftShare * this.#most);
    for (let factor = 1; this.#count > left && this.#join(factor); factor *= 2);
    const gone = this.#count - left;
    if (gone <= 0) return;
    for (let at = gone; at < this.#count; at++) this.#move(at, at - gone);
    this.#count = left;
  }

  /**
   * Lets exposures without a start join the one before them of their variant, up to so many times what nine tenths of it
   * stand for at most. So the young come to stand for as many as the old. Were the old to join each other every time, one of them would at
   * last stand for all that is old.
   * @returns false where more of it would leave too few
   */
  #join(factor: number): boolean {
    const measures = this.#measures();
    const open = new Map<number, number>();
    let [kept, withoutStart] = [0, 0];
    for (let at = 0; at < this.#count; at++) {
      const [arm, size] = [this.#arms[at]!, this.#sizes[at]!];
      const isStart = this.#starts[at] !== 0;
      const before = isStart ? undefined : open.get(arm);
      if (before !== undefined && this.#sizes[before]! + size <= factor * measures.get(arm)!) {
        this.#sizes[before]! += size;
        continue;
      }
      if (!isStart) open.set(arm, kept);
      if (!isStart) withoutStart++;
      this.#move(at, kept++);
    }
    this.#count = kept;
    return withoutStart > Math.max(measures.size, leastWithoutStart * this.#most);
  }

  /** What nine tenths of a variant's exposures without a start stand for at most. */
  #measures(): ReadonlyMap<number, number> {
    const sizes = new Map<number, number[]>();
    for (let at = 0; at < this.#count; at++) {
      if (this.#starts[at] !== 0) continue;
      const ofVariant = sizes.get(this.#arms[at]!);
      if (ofVariant === undefined) sizes.set(this.#arms[at]!, [this.#sizes[at]!]);
      else ofVariant.push(this.#sizes[at]!);
    }
    return new Map(Array.from(sizes, ([arm, ofVariant]) => [arm, measureOf(ofVariant)]));
  }

  #move(from: number, to: number): void {
    for (const column of this.#columns()) column[to] = column[from]!;
  }

  #columns() {
    return [this.#arms, this.#sizes, this.#starts, ...this.#places];
  }

  #makeRoom(room: number): void {
    this.#room = room;
    const grown = <Column extends Uint16Array | Float32Array>(column: Column, fresh: Column): Column => {
      fresh.set(column.subarray(0, this.#count));
      return fresh;
    };
    this.#arms = grown(this.#arms, new Uint16Array(room));
    this.#sizes = grown(this.#sizes, new Float32Array(room));
    this.#starts = grown(this.#starts, new Float32Array(room));
    this.#places = this.#places.map((column) => grown(column, new Uint16Array(room)));
  }
}

/** @param sizes at least one */
function measureOf(sizes: readonly number[]): number {
  const rising = Float32Array.from(sizes).sort();
  return rising[Math.ceil(measuredShare * rising.length) - 1]!;
}
