/** What comes again and again, each once, by the number under which it is kept. */
export class Numbered<One> {
  readonly #all: One[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #keyOf: (one: One) => string;

  /** @param keyOf the same of what is the same */
  constructor(keyOf: (one: One) => string) {
    this.#keyOf = keyOf;
  }

  get all(): readonly One[] {
    return this.#all;
  }

  at(number: number): One {
    const one = this.#all[number];
    if (one === undefined) throw new RangeError(`Nothing has the number ${number}.`);
    return one;
  }

  numberOf(one: One): number {
    const key = this.#keyOf(one);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#all.push(one) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
