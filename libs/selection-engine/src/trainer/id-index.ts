import type { Hash64 } from '../numbers/hash64.ts';
import { roomFor } from '../numbers/room-for.ts';

/** So much of its room is taken at most: the next free place is near. */
const mostTaken = 2 / 3;

/** What has ids, place by place. */
interface Identified {
  readonly count: number;
  isOf(slot: number, id: Hash64): boolean;
  idAt(slot: number): Hash64;
}

/** Where exposures or chains are, by the hash of their id: a table with linear probing, of six to eight bytes each. */
export class IdIndex {
  readonly #kept: Identified;
  /** By place: 1 + a slot; 0 if it is free. */
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
    this.#slots = new Int32Array(Math.max(64, roomFor((count + 1) / mostTaken)));
    this.#taken = 0;
    for (let slot = 0; slot < count; slot++) this.add(slot);
  }

  /** Of the id, or the free one where it would be. */
  #placeOf(id: Hash64): number {
    const room = this.#slots.length;
    let place = Math.floor((id.low / 2 ** 32) * room);
    for (;;) {
      const slot = this.#slots[place]! - 1;
      if (slot < 0 || this.#kept.isOf(slot, id)) return place;
      place = place + 1 < room ? place + 1 : 0;
    }
  }
}
