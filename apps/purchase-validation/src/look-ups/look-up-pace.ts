import type { Store } from '@paywright/contracts';

/** Whose look-ups are counted together: a store limits what it is asked by app. */
export interface Asked {
  readonly appId: number;
  readonly store: Store;
}

/** How many may begin. */
export interface Room extends Asked {
  readonly most: number;
}

interface Counted extends Asked {
  /** When the look-ups of the last second began. */
  readonly begun: readonly number[];
  readonly restsUntil: number;
}

const secondMs = 1_000;
const nameOf = ({ appId, store }: Asked) => `${appId}/${store}`;

/** How many look-ups may begin: so many of an app at a store in any second, and none while the store wants to rest. */
export class LookUpPace {
  readonly #perSecond: number;
  /** In milliseconds, of a clock that nobody sets. */
  readonly #now: () => number;
  readonly #counted = new Map<string, Counted>();

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** One begins, for which there was room. */
  begin(asked: Asked): void {
    const counted = this.#of(asked);
    this.#counted.set(nameOf(asked), { ...counted, begun: [...counted.begun, this.#now()] });
  }

  /** The store was asked too much. */
  rest(asked: Asked, ms: number): void {
    const counted = this.#of(asked);
    this.#counted.set(nameOf(asked), {
      ...counted,
      restsUntil: Math.max(counted.restsUntil, this.#now() + ms),
    });
  }

  /** How many of each may begin now; of whom there is no room: it is not told. */
  room(asked: readonly Asked[]): readonly Room[] {
    for (const [name, counted] of this.#counted)
      if (this.#left(this.#of(counted)) === this.#perSecond) this.#counted.delete(name);
    return asked.flatMap((one) => {
      const most = this.#left(this.#of(one));
      return most > 0 ? { ...one, most } : [];
    });
  }

  #of({ appId, store }: Asked): Counted {
    const known = this.#counted.get(nameOf({ appId, store }));
    const since = this.#now() - secondMs;
    return {
      ...{ appId, store },
      begun: (known?.begun ?? []).filter((at) => at > since),
      restsUntil: known?.restsUntil ?? 0,
    };
  }

  #left({ begun, restsUntil }: Counted): number {
    return this.#now() < restsUntil ? 0 : this.#perSecond - begun.length;
  }
}
