import type { Arm } from '../learning/additive-model.ts';
import { held } from '../value/tally.ts';
import type { ShownVariant } from './delay-shares.ts';

const planPrefix = 'plan:';

export interface ArmTableState {
  readonly tokens: readonly string[];
  /** By row. */
  readonly arms: readonly ArmState[];
}

interface ArmState {
  readonly paywall: string;
  /** Null of a paywall that was shown before any catalogue named it. */
  readonly design: readonly number[] | null;
  /** When the paywall got these products: 0 of its first ones. */
  readonly since: number;
}

/** What a paywall looked like from then on, until its next design. */
export interface DesignFact {
  readonly paywall: string;
  readonly tokens: readonly string[];
  /** Milliseconds since the epoch, 0 of its first design. */
  readonly since: number;
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
  readonly #arms: { paywall: string; design: readonly number[] | null; since: number }[];
  /** By paywall, the oldest first. */
  readonly #rows = new Map<string, number[]>();
  /** By row: those of its paywall. */
  readonly #siblings: (readonly number[])[] = [];

  constructor({ tokens, arms }: ArmTableState = { tokens: [], arms: [] }) {
    for (const token of tokens) this.#tokenRow(token);
    this.#arms = [];
    for (const { paywall, design, since } of arms) this.#add(paywall, design, since);
  }

  get size(): { readonly arms: number; readonly tokens: number } {
    return { arms: this.#arms.length, tokens: this.#names.length };
  }

  /** The row that a paywall has now; a new one if it has none. */
  armOf(paywall: string): Arm {
    return this.armAt(paywall, Infinity);
  }

  /** The row of the products that a paywall had at a time; a new one if it has none. */
  armAt(paywall: string, at: number): Arm {
    const row = this.rowShown(this.#rows.get(paywall)?.[0] ?? this.#add(paywall, null, 0), at);
    return { row, design: this.designAt(row) };
  }

  /** The arm that was shown at a time, where its exposures are that row's now. */
  shownAs(row: number, at: number): Arm {
    const shown = this.rowShown(row, at);
    return { row: shown, design: this.designAt(shown) };
  }

  /** The row of `shownAs`. */
  rowShown(row: number, at: number): number {
    const rows = this.#siblings[row]!;
    // Asked of every exposure that waits, again and again: a loop, as closures cost more than all else here.
    let newest = rows.length - 1;
    while (newest > 0 && !(this.sinceOf(rows[newest]!) <= at)) newest--;
    return rows[newest]!;
  }

  /** The rows of the products that the paywall of a row got afterwards, one after the other. */
  heirsOf(row: number): readonly number[] {
    return this.#siblings[row]!.filter((other) => other > row);
  }

  /** When the paywall of a row got its products: 0 of its first ones. */
  sinceOf(row: number): number {
    return this.#arms[row]?.since ?? 0;
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

  /** What an arm's starts are as late as. */
  variantOf(arm: Arm): ShownVariant {
    return { row: arm.row, plan: this.planOf(arm) };
  }

  /** Every design that a catalogue named; each paywall's in their order. */
  get facts(): readonly DesignFact[] {
    return this.#arms.flatMap(({ paywall, design, since }) =>
      design === null ? [] : [{ paywall, tokens: design.map((token) => this.#names[token] ?? ''), since }],
    );
  }

  variantAt(row: number): ShownVariant {
    return this.variantOf({ row, design: this.designAt(row) });
  }

  /** Gives a paywall its design, from then on. With another one than before it is a new arm. */
  name(paywall: string, tokens: readonly string[], at: number): NamedArm {
    const design = tokens.map((token) => this.#tokenRow(token));
    const row = this.#rows.get(paywall)?.at(-1);
    const held = row === undefined ? undefined : this.#arms[row];
    if (row === undefined || held === undefined) return { row: this.#add(paywall, design, 0), design, replaces: -1 };
    if (held.design === null) held.design = design;
    const same = held.design.length === design.length && held.design.every((token, place) => token === design[place]);
    return same ? { row, design, replaces: -1 } : { row: this.#add(paywall, design, at), design, replaces: row };
  }

  state(): ArmTableState {
    return { tokens: [...this.#names], arms: this.#arms.map((arm) => ({ ...arm })) };
  }

  #add(paywall: string, design: readonly number[] | null, since: number): number {
    const row = this.#arms.push({ paywall, design, since }) - 1;
    const rows = held(this.#rows, paywall, (): number[] => []);
    rows.push(row);
    this.#siblings[row] = rows;
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
