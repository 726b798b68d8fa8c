import type { Clock } from '@paywright/platform';

/** A call that the simulator got, or a notification that it sent. Without bodies, tokens and keys. */
export interface JournalEntry {
  readonly kind: 'call' | 'notification';
  /** By the simulated clock. */
  readonly time: string;
  readonly [detail: string]: string | number | boolean | null;
}

const kept = 50_000;

/** What happened last, at most fifty thousand entries. */
export class Journal {
  readonly #clock: Clock;
  #entries: JournalEntry[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(kind: JournalEntry['kind'], details: Readonly<Record<string, string | number | boolean | null>>): void {
    this.#entries.push({ kind, time: new Date(this.#clock.now()).toISOString(), ...details });
    if (this.#entries.length > 2 * kept) this.#entries = this.#entries.slice(-kept);
  }

  /** The newest, oldest of them first. */
  last(count: number, wanted: (entry: JournalEntry) => boolean = () => true): readonly JournalEntry[] {
    return this.#entries.slice(-kept).filter(wanted).slice(-count);
  }
}

/** A secret, as far as it may be shown: enough to tell two from each other. */
export const shortened = (secret: string): string => (secret.length > 12 ? `${secret.slice(0, 6)}…` : secret);
