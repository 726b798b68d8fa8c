import type { FeatureEncoder } from '../features/feature-encoder.ts';
import { atMost } from '../numbers/at-most.ts';
import { compareHashes, hash64, type Hash64 } from '../numbers/hash64.ts';
import type { LedgerRow } from '../value/ledger-row.ts';
import { held } from '../value/tally.ts';
import type { MoneyRecord, StartRecord } from './learning-record.ts';
import { rowFor } from './row-for-start.ts';

const dayMs = 86_400_000;
/**
 * An amount counts as at most that many median amounts of the ledger: a dear lifetime is some thirty usual charges. More is
 * somebody's mistake of a unit, and would decide alone what every start is thought to bring.
 */
const mostMedians = 100;
/** As that much in any case: lifetimes of some hundred USD are sold beside weeks of less than one. */
const usualUsd = 500;
/** And never as more than this: no store charges so much. */
const mostUsd = 1_000_000;

/** A start, the variant's row when it was shown, and whether its exposure counts: one that comes too late does not. */
export interface CreditedStart {
  readonly start: StartRecord;
  readonly arm: number;
  readonly isShown: boolean;
}

/** One in the ledger, with its context's columns as of the last reading. */
export interface LedgerEntry extends Omit<CreditedStart, 'isShown'> {
  readonly hash: Hash64;
  isShown: boolean;
  active: Int32Array;
}

/** A start, and what became of it. */
export interface Credited {
  readonly entry: LedgerEntry;
  readonly row: LedgerRow;
}

export interface LedgerState {
  readonly starts: readonly CreditedStart[];
  readonly money: readonly MoneyRecord[];
}

const none: readonly MoneyRecord[] = [];
const notEncoded = new Int32Array(0);

/**
 * What is known of starts and their money: two sets, so that neither order nor repetition matters. Read in the order
 * of `hash64(seed, id)`.
 */
export class ConversionLedger {
  readonly #seed: string;
  readonly #chains = new Set<string>();
  readonly #entries: LedgerEntry[] = [];
  /** By exposure: those that wait for it. */
  readonly #unshown = new Map<string, LedgerEntry[]>();
  #isOrdered = true;
  /** By chain, in the order of time. */
  readonly #money = new Map<string, MoneyRecord[]>();

  constructor(seed: string, { starts, money }: LedgerState = { starts: [], money: [] }) {
    this.#seed = seed;
    for (const { start, arm, isShown } of starts) this.addStart(start, arm, isShown);
    for (const record of money) this.addMoney(record);
  }

  get starts(): number {
    return this.#entries.length;
  }

  has(chain: string): boolean {
    return this.#chains.has(chain);
  }

  /** @param start of a chain that is not here yet @param isShown whether its exposure is here */
  addStart(start: StartRecord, arm: number, isShown = true): void {
    this.#chains.add(start.id);
    const hash = hash64(`${this.#seed}\0${start.id}`);
    const entry: LedgerEntry = { start, arm, hash, isShown, active: notEncoded };
    this.#entries.push(entry);
    this.#isOrdered = false;
    if (!isShown) held(this.#unshown, start.exposure.id, (): LedgerEntry[] => []).push(entry);
  }

  /** An exposure came behind its starts. */
  show(exposure: string): void {
    for (const entry of this.#unshown.get(exposure) ?? []) entry.isShown = true;
    this.#unshown.delete(exposure);
  }

  /** Money may come before its start, and waits for it. */
  addMoney(record: MoneyRecord): void {
    if (!Number.isFinite(record.usd) || !Number.isFinite(record.nextChargeUsd ?? 0))
      throw new RangeError('An amount of money is a finite number.');
    const ofChain = this.#money.get(record.chain);
    if (ofChain === undefined) {
      this.#money.set(record.chain, [record]);
    } else if (ofChain.every(({ id }) => id !== record.id)) {
      ofChain.push({ ...record, chain: ofChain[0]!.chain }); // one text for all
      ofChain.sort((one, other) => one.at - other.at || byText(one.id, other.id));
    }
  }

  /**
   * All starts and what became of them by then. Money counts that came within the horizon.
   * @param encoder of the dictionary that all readings are by
   */
  rows(now: number, horizonDays: number, encoder: FeatureEncoder): readonly Credited[] {
    const most = this.#mostUsd();
    this.#encode(encoder);
    return this.#ordered().map((entry) => {
      const { id, at } = entry.start;
      return { entry, row: rowFor(entry, this.#money.get(id) ?? none, { now, until: at + horizonDays * dayMs, most }) };
    });
  }

  /** Those that are new, and all once a field was added. Parts of one array: by itself each would take three times as much. */
  #encode(encoder: FeatureEncoder): void {
    const { columns } = encoder;
    const news = this.#ordered().filter(({ active }) => active.length !== columns);
    const all = new Int32Array(news.length * columns);
    news.forEach((entry, index) => {
      const active = all.subarray(index * columns, (index + 1) * columns);
      active.set(encoder.assign(entry.start.exposure.values));
      entry.active = active;
    });
  }

  state(): LedgerState {
    const chains = [...this.#money].sort(([one], [other]) => byText(one, other));
    return {
      starts: this.#ordered().map(({ start, arm, isShown }) => ({ start, arm, isShown })),
      money: chains.flatMap(([, ofChain]) => ofChain),
    };
  }

  /** What an amount counts as at most, by all that was charged or announced. */
  #mostUsd(): number {
    const amounts: number[] = [];
    for (const ofChain of this.#money.values()) {
      for (const { kind, usd, nextChargeUsd } of ofChain) {
        if (kind === 'charge' && usd > 0) amounts.push(usd);
        if (nextChargeUsd !== null && nextChargeUsd > 0) amounts.push(nextChargeUsd);
      }
    }
    const median = Float64Array.from(amounts).sort()[amounts.length >> 1] ?? mostUsd;
    return Math.max(usualUsd, atMost(mostUsd, mostMedians * median));
  }

  #ordered(): readonly LedgerEntry[] {
    if (this.#isOrdered) return this.#entries;
    this.#entries.sort((one, other) => compareHashes(one.hash, other.hash) || byText(one.start.id, other.start.id));
    this.#isOrdered = true;
    return this.#entries;
  }
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
