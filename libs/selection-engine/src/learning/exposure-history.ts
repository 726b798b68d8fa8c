/** Exposures that are kept: some 60 bytes each with 25 fields. */
const mostExposures = 200_000;
/** Beyond, starts alone have filled it, and the oldest quarter leaves. */
const thinnedShare = 0.75;

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
 * Exposures that a model was learned from, in their order, kept in bounded memory. When it is full, every second
 * exposure without a start joins the one before it of the same variant, which then stands for both: starts are rare,
 * and tell nearly all that there is to know.
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
    const open = new Map<number, number>();
    let kept = 0;
    for (let at = 0; at < this.#count; at++) {
      const arm = this.#arms[at]!;
      const before = this.#starts[at] === 0 ? open.get(arm) : undefined;
      if (before === undefined) {
        if (this.#starts[at] === 0) open.set(arm, kept);
        this.#move(at, kept++);
      } else {
        this.#sizes[before]! += this.#sizes[at]!;
        open.delete(arm);
      }
    }
    this.#count = kept;
    if (kept <= thinnedShare * this.#most) return;
    const gone = kept - Math.floor(thinnedShare * this.#most);
    for (let at = gone; at < kept; at++) this.#move(at, at - gone);
    this.#count = kept - gone;
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
