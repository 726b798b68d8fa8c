import type { Hash64 } from '../numbers/hash64.ts';

/** So much of its room is taken at most: the next free place is near. */
const mostTaken = 2 / 3;

/** What has ids, place by place. */
interface Identified {
  readonly count: number;
  isOf(slot: number, id: Hash64): boolean;
  idAt(slot: number): Hash64;
}

/** Where exposures or chains are, by the hash of their id: a table with linear probing, of four bytes a place. */
export class IdIndex {
  readonly #kept: Identified;
  /** By place: 1 + a slot; 0 if it is free. A power of two of them. */
  #slots = new Int32Array(0);
  #taken = 0;

  constructor(kept: Identified) {
    this.#kept = kept;
    this.rebuild();
  }

  /** @returns the slot that was added last with this id; -1 of an unknown one */
  find(id: Hash64): number {
    return this.#slots[this.#placeOf(id)]! - 1;
  }

  add(slot: number): void {
    if (this.#taken + 1 > mostTaken * this.#slots.length) return this.rebuild();
    const place = this.#placeOf(this.#kept.idAt(slot));
    if (this.#slots[place] === 0) this.#taken++;
    this.#slots[place] = 1 + slot;
  }

  /** Call it where slots have moved. */
  rebuild(): void {
    const { count } = this.#kept;
    let room = 64;
    while (count + 1 > mostTaken * room) room *= 2;
    this.#slots = new Int32Array(room);
    this.#taken = 0;
    for (let slot = 0; slot < count; slot++) this.add(slot);
  }

  /** Of the id, or the free one where it would be. */
  #placeOf(id: Hash64): number {
    const last = this.#slots.length - 1;
    let place = id.low & last;
    for (;;) {
      const slot = this.#slots[place]! - 1;
      if (slot < 0 || this.#kept.isOf(slot, id)) return place;
      place = (place + 1) & last;
    }
  }
}
