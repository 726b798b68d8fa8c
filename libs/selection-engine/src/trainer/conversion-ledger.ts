import { absent } from '../features/field-value.ts';
import type { FeatureEncoder } from '../features/feature-encoder.ts';
import { atMost } from '../numbers/at-most.ts';
import { compareHashes, hash64 } from '../numbers/hash64.ts';
import type { LedgerRow } from '../value/ledger-row.ts';
import { held } from '../value/tally.ts';
import { IdIndex } from './id-index.ts';
import { chargeKind, KeptConversions } from './kept-conversions.ts';
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

/** A start, and what became of it. What it was is read where it is asked for: as objects all of them would take more. */
export interface Credited extends Omit<CreditedStart, 'arm'> {
  readonly row: LedgerRow;
  readonly exposure: StartRecord['exposure'];
  readonly startedAt: number;
  /** The index of the first start of the same exposure. */
  readonly first: number;
}

/**
 * What is known of starts and their money: two sets, so that neither order nor repetition matters. Read in the order
 * of `hash64(seed, id)`.
 */
export class ConversionLedger {
  readonly #seed: string;
  readonly #kept: KeptConversions;
  readonly #index: IdIndex;
  /** By exposure: chains that wait for it. */
  readonly #unshown = new Map<string, number[]>();
  /** By the number of a field's value, and by field of those without one: columns of the dictionary, -1 before one is asked. */
  readonly #columns: { readonly ofValues: number[]; readonly ofAbsent: number[] } = { ofValues: [], ofAbsent: [] };
  /** Chains that have started, in the order of hashes, as of the last reading. */
  #order = new Uint32Array(0);
  #starts = 0;

  /** @param kept taken over, not copied */
  constructor(seed: string, kept = new KeptConversions()) {
    this.#seed = seed;
    this.#kept = kept;
    this.#index = new IdIndex(kept);
    const { isStarted, isShown } = kept.chains;
    for (let chain = 0; chain < kept.count; chain++) {
      if (isStarted[chain] === 0) continue;
      this.#starts++;
      if (isShown[chain] === 0) this.#waitFor(kept.exposureIdAt(chain), chain);
    }
  }

  get starts(): number {
    return this.#starts;
  }

  /** Starts, and records of money. */
  get count(): number {
    return this.#starts + this.#kept.moneyCount;
  }

  has(id: string): boolean {
    const chain = this.#find(id);
    return chain >= 0 && this.#kept.chains.isStarted[chain] === 1;
  }

  /** @param start of a chain that is not here yet @param isShown whether its exposure is here */
  addStart(start: StartRecord, arm: number, isShown = true): void {
    const chain = this.#chainOf(start.id);
    this.#kept.setStart(chain, start, arm, isShown);
    this.#starts++;
    if (!isShown) this.#waitFor(start.exposure.id, chain);
  }

  /** An exposure came behind its starts. */
  show(exposure: string): void {
    for (const chain of this.#unshown.get(exposure) ?? []) this.#kept.setShown(chain);
    this.#unshown.delete(exposure);
  }

  /** Money may come before its start, and waits for it. */
  addMoney(record: MoneyRecord): void {
    if (!Number.isFinite(record.usd) || !Number.isFinite(record.nextChargeUsd ?? 0))
      throw new RangeError('An amount of money is a finite number.');
    this.#kept.addMoney(this.#chainOf(record.chain), record);
  }

  /**
   * All starts and what became of them by then. Money counts that came within the horizon.
   * @param encoder of the dictionary that all readings are by
   */
  rows(now: number, horizonDays: number, encoder: FeatureEncoder): readonly Credited[] {
    const kept = this.#kept;
    const most = this.#mostUsd();
    const { columns } = encoder;
    const all = this.#encode(encoder);
    const { at, arm } = kept.chains;
    const order = this.#ordered();
    const firsts = kept.firstsOfExposures(order);
    const rows: Credited[] = [];
    for (let index = 0; index < order.length; index++) {
      const chain = order[index]!;
      const active = all.subarray(index * columns, (index + 1) * columns);
      const start = { at: at[chain]!, bought: kept.boughtAt(chain), arm: arm[chain]!, active };
      const bounds = { now, until: start.at + horizonDays * dayMs, most };
      rows.push(new KeptCredited(kept, chain, rowFor(start, kept.moneyOf(chain), bounds), firsts[index]!));
    }
    return rows;
  }

  /** What it was made of, as it is kept here: starts in the order of hashes, money by chain. */
  records(): { readonly starts: readonly CreditedStart[]; readonly money: readonly MoneyRecord[] } {
    const money: MoneyRecord[] = [];
    for (let chain = 0; chain < this.#kept.count; chain++) money.push(...this.#kept.moneyOf(chain));
    return { starts: Array.from(this.#ordered(), (chain) => this.#creditedAt(chain)), money };
  }

  /** Shared, not copied. */
  state(): KeptConversions {
    return this.#kept;
  }

  #creditedAt(chain: number): CreditedStart {
    const { arm, isShown } = this.#kept.chains;
    return { start: this.#kept.startAt(chain), arm: arm[chain]!, isShown: isShown[chain] === 1 };
  }

  /**
   * The columns of all contexts, start after start. They are asked of the dictionary in this order: it numbers by it what it
   * has not met.
   */
  #encode(encoder: FeatureEncoder): Int32Array {
    const { chains, values, fieldValues } = this.#kept;
    const { fields, columns } = encoder;
    const order = this.#ordered();
    const places = new Map(fields.map((field, place) => [field, place]));
    const fieldOf = Int32Array.from(fieldValues, ([field]) => places.get(field) ?? -1);
    const { ofValues, ofAbsent } = this.#columns;
    while (ofValues.length < fieldValues.length) ofValues.push(-1);
    while (ofAbsent.length < fields.length) ofAbsent.push(-1);
    const all = new Int32Array(order.length * columns);
    const assign = (field: number, own: ArrayLike<number>) => {
      const fieldValue = Array.from(own).find((value) => fieldOf[value] === field);
      if (fieldValue === undefined) return (ofAbsent[field] = encoder.assignValue(field, absent));
      return (ofValues[fieldValue] = encoder.assignValue(field, fieldValues[fieldValue]![1]));
    };
    for (let index = 0; index < order.length; index++) {
      const chain = order[index]!;
      const first = index * columns + 1;
      for (let field = 0; field < fields.length; field++) all[first + field] = ofAbsent[field]!;
      const begin = chains.values[chain]!;
      const end = begin + chains.valueCount[chain]!;
      for (let at = begin; at < end; at++) {
        const field = fieldOf[values[at]!]!;
        if (field >= 0) all[first + field] = ofValues[values[at]!]!;
      }
      for (let field = 0; field < fields.length; field++)
        if (all[first + field]! < 0) all[first + field] = assign(field, this.#kept.valuesOf(chain));
    }
    return all;
  }

  /** What an amount counts as at most, by all that was charged or announced. */
  #mostUsd(): number {
    const { money, moneyCount } = this.#kept;
    const amounts = new Float64Array(2 * moneyCount);
    let count = 0;
    for (let place = 0; place < moneyCount; place++) {
      const [usd, nextChargeUsd] = [money.usd[place]!, money.nextChargeUsd[place]!];
      if (money.kind[place] === chargeKind && usd > 0) amounts[count++] = usd;
      if (nextChargeUsd > 0) amounts[count++] = nextChargeUsd;
    }
    const median = amounts.subarray(0, count).sort()[count >> 1] ?? mostUsd;
    return Math.max(usualUsd, atMost(mostUsd, mostMedians * median));
  }

  #ordered(): Uint32Array {
    const kept = this.#kept;
    if (this.#order.length === this.#starts) return this.#order;
    const { isStarted } = kept.chains;
    const order = new Uint32Array(this.#starts);
    let count = 0;
    for (let chain = 0; chain < kept.count; chain++) if (isStarted[chain] === 1) order[count++] = chain;
    this.#order = order.sort(
      (one, other) =>
        compareHashes(kept.idAt(one), kept.idAt(other)) || byText(kept.chainIdAt(one), kept.chainIdAt(other)),
    );
    return this.#order;
  }

  #waitFor(exposure: string, chain: number): void {
    held(this.#unshown, exposure, (): number[] => []).push(chain);
  }

  #find(id: string): number {
    return this.#index.find(this.#hashOf(id));
  }

  /** A new one if it is not here. */
  #chainOf(id: string): number {
    const hash = this.#hashOf(id);
    const known = this.#index.find(hash);
    if (known >= 0) return known;
    const chain = this.#kept.addChain(id, hash);
    this.#index.add(chain);
    return chain;
  }

  #hashOf(id: string) {
    return hash64(`${this.#seed}\0${id}`);
  }
}

class KeptCredited implements Credited {
  readonly row: LedgerRow;
  readonly first: number;
  readonly #kept: KeptConversions;
  readonly #chain: number;

  constructor(kept: KeptConversions, chain: number, row: LedgerRow, first: number) {
    this.#kept = kept;
    this.#chain = chain;
    this.row = row;
    this.first = first;
  }

  get start(): StartRecord {
    return this.#kept.startAt(this.#chain);
  }

  get exposure(): StartRecord['exposure'] {
    return this.#kept.exposureAt(this.#chain);
  }

  get startedAt(): number {
    return this.#kept.chains.at[this.#chain]!;
  }

  get isShown(): boolean {
    return this.#kept.chains.isShown[this.#chain] === 1;
  }
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
