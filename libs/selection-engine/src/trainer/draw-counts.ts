import type { DrawnRecord } from './learning-record.ts';

/** How often a paywall was drawn, how often its chances said, and how often it was then shown. */
export interface DrawCount {
  readonly paywall: string;
  readonly drawn: number;
  readonly expected: number;
  readonly shown: number;
}

export interface DrawState {
  readonly counts: readonly DrawCount[];
  readonly recent: readonly RecentDecision[];
}

export type RecentDecision = readonly [id: string, at: number];

const rememberedMs = 2 * 86_400_000;

/** Counts for the checks that chances are kept, and that no variant is shown less often than drawn. */
export class DrawCounts {
  readonly #counts = new Map<string, { drawn: number; expected: number; shown: number }>();
  /** Decisions of the last two days, in the order in which they came: none is counted twice. */
  readonly #recent: Map<string, number>;
  /** Those that came since the last tick; of one that was restored, nobody knows. */
  #fresh: string[];

  constructor({ counts, recent }: DrawState = { counts: [], recent: [] }) {
    for (const { paywall, ...count } of counts) this.#counts.set(paywall, count);
    this.#recent = new Map(recent);
    this.#fresh = [...this.#recent.keys()];
  }

  decided({ id, at, paywall, probabilities }: DrawnRecord, now: number): void {
    if (probabilities.length === 0 || at < now - rememberedMs || this.#recent.has(id)) return;
    this.#recent.set(id, at < now ? now : at);
    this.#fresh.push(id);
    this.#of(paywall).drawn++;
    for (const [candidate, probability] of probabilities) this.#of(candidate).expected += probability;
  }

  shown(paywall: string): void {
    this.#of(paywall).shown++;
  }

  forget(now: number): void {
    // All have come by now: one that a clock put ahead would keep whatever is behind it.
    for (const id of this.#fresh) this.#recent.set(id, Math.min(now, this.#recent.get(id) ?? now));
    this.#fresh = [];
    for (const [id, at] of this.#recent) {
      if (at >= now - rememberedMs) break;
      this.#recent.delete(id);
    }
  }

  state(): DrawState {
    const counts = [...this.#counts].map(([paywall, count]) => ({ paywall, ...count }));
    return { counts: counts.sort((one, other) => (one.paywall < other.paywall ? -1 : 1)), recent: [...this.#recent] };
  }

  #of(paywall: string) {
    const known = this.#counts.get(paywall);
    if (known !== undefined) return known;
    const fresh = { drawn: 0, expected: 0, shown: 0 };
    this.#counts.set(paywall, fresh);
    return fresh;
  }
}
