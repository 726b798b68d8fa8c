import type { AppSnapshot } from '@paywright/contracts';

type Made = Pick<AppSnapshot, 'version' | 'edition'>;

interface Held<View> extends Made {
  readonly view: View;
}

const isNewer = (a: Made, b: Made): boolean =>
  a.version === b.version ? (a.edition ?? 0) > (b.edition ?? 0) : a.version > b.version;

/** What somebody makes of every app's newest snapshot, as `catalog.snapshots` tells it. */
export class NewestByApp<View> {
  readonly #apps = new Map<number, Held<View>>();
  readonly #viewOf: (snapshot: AppSnapshot, known: View | undefined) => View;
  readonly #waiting = new Set<() => void>();

  /** @param viewOf is given what was made of the app's snapshot before */
  constructor(viewOf: (snapshot: AppSnapshot, known: View | undefined) => View) {
    this.#viewOf = viewOf;
  }

  /**
   * Takes a snapshot in; one that is not newer than what is known changes nothing.
   * @returns whether it was newer
   * @throws what is thrown of the snapshot; the app then keeps the view it had
   */
  apply(snapshot: AppSnapshot): boolean {
    const { appId, version, edition } = snapshot;
    const known = this.#apps.get(appId);
    if (known !== undefined && !isNewer(snapshot, known)) return false;
    this.#apps.set(appId, { version, edition, view: this.#viewOf(snapshot, known?.view) });
    for (const look of [...this.#waiting]) look();
    return true;
  }

  find(appId: number): View | undefined {
    return this.#apps.get(appId)?.view;
  }

  /** By app. */
  all(): readonly (readonly [appId: number, view: View])[] {
    return [...this.#apps].map(([appId, { view }]) => [appId, view]);
  }

  /** True once it is so of the app's view; false if not within the time. */
  async reached(appId: number, isSo: (view: View) => boolean, timeoutMs: number): Promise<boolean> {
    const isHere = () => {
      const held = this.#apps.get(appId);
      return held !== undefined && isSo(held.view);
    };
    if (isHere()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const look = () => isHere() && resolve(true);
    const timer = setTimeout(() => resolve(false), timeoutMs);
    this.#waiting.add(look);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }
}
