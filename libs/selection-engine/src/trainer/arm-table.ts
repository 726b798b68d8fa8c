import type { Arm } from '../learning/additive-model.ts';

const planPrefix = 'plan:';

export interface ArmTableState {
  readonly tokens: readonly string[];
  /** By row. `design` is null of a paywall that was shown before any catalogue named it. */
  readonly arms: readonly { readonly paywall: string; readonly design: readonly number[] | null }[];
}

/** What became of a paywall that a catalogue named. */
export interface NamedArm extends Arm {
  /** The row of the same paywall with other products, -1 if there was none, or nothing changed. */
  readonly replaces: number;
}

/** Rows of paywalls and of the tokens of their designs, in the order in which they were met; none is ever removed. */
export class ArmTable {
  readonly #tokens = new Map<string, number>();
  /** Tokens by row. */
  readonly #names: string[] = [];
  readonly #arms: { paywall: string; design: readonly number[] | null }[];
  readonly #rows = new Map<string, number>();

  constructor({ tokens, arms }: ArmTableState = { tokens: [], arms: [] }) {
    for (const token of tokens) this.#tokenRow(token);
    this.#arms = arms.map((arm) => ({ ...arm }));
    arms.forEach(({ paywall }, row) => this.#rows.set(paywall, row));
  }

  get size(): { readonly arms: number; readonly tokens: number } {
    return { arms: this.#arms.length, tokens: this.#names.length };
  }

  /** The row that a paywall has now; a new one if it has none. */
  armOf(paywall: string): Arm {
    const row = this.#rows.get(paywall) ?? this.#add(paywall, null);
    return { row, design: this.#arms[row]?.design ?? [] };
  }

  designAt(row: number): readonly number[] {
    return this.#arms[row]?.design ?? [];
  }

  /** By row: its tokens' rows. */
  get designs(): readonly (readonly number[])[] {
    return this.#arms.map(({ design }) => design ?? []);
  }

  /** The plan of an arm's first product, by its token; empty if it has none. */
  planOf({ design }: Arm): string {
    for (const row of design) {
      const token = this.#names[row] ?? '';
      if (token.startsWith(planPrefix)) return token.slice(planPrefix.length);
    }
    return '';
  }

  /** Gives a paywall its design. With another one than before it is a new arm. */
  name(paywall: string, tokens: readonly string[]): NamedArm {
    const design = tokens.map((token) => this.#tokenRow(token));
    const row = this.#rows.get(paywall);
    const held = row === undefined ? undefined : this.#arms[row];
    if (row === undefined || held === undefined) return { row: this.#add(paywall, design), design, replaces: -1 };
    if (held.design === null) held.design = design;
    const same = held.design.length === design.length && held.design.every((token, place) => token === design[place]);
    return same ? { row, design, replaces: -1 } : { row: this.#add(paywall, design), design, replaces: row };
  }

  state(): ArmTableState {
    return { tokens: [...this.#names], arms: this.#arms.map((arm) => ({ ...arm })) };
  }

  #add(paywall: string, design: readonly number[] | null): number {
    const row = this.#arms.push({ paywall, design }) - 1;
    this.#rows.set(paywall, row);
    return row;
  }

  #tokenRow(token: string): number {
    const known = this.#tokens.get(token);
    if (known !== undefined) return known;
    const row = this.#names.push(token) - 1;
    this.#tokens.set(token, row);
    return row;
  }
}
