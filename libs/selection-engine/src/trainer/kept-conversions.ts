import type { FieldValues } from '../features/field-values.ts';
import type { Hash64 } from '../numbers/hash64.ts';
import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';
import { numberOfSide, orNaN, orNull, sideOf } from './as-numbers.ts';
import { GrowingColumns } from './growing-columns.ts';
import type { MoneyRecord, StartRecord } from './learning-record.ts';
import { Numbered } from './numbered.ts';
import { PackedTexts } from './packed-texts.ts';

const moneyKinds = ['charge', 'refund', 'extra', 'ended'] as const;

/** The number of what counts among usual amounts. */
export const chargeKind = moneyKinds.indexOf('charge');

/** A chain: its id, its money, and its start once that is here. */
const chainKinds = {
  hashHigh: 'uint32',
  hashLow: 'uint32',
  id: 'uint32',
  /** 1 + the place of its first money; 0 of none. */
  money: 'uint32',
  isStarted: 'uint8',
  isShown: 'uint8',
  arm: 'uint16',
  at: 'float64',
  bought: 'uint32',
  exposure: 'uint32',
  shownAt: 'float64',
  paywall: 'uint32',
  side: 'uint8',
  share: 'float64',
  /** NaN of none. */
  logValue: 'float64',
  /** Where its context's values begin, and how many there are. */
  values: 'uint32',
  valueCount: 'uint16',
} as const;
type ChainRow = Record<keyof typeof chainKinds, number>;

const moneyColumns = {
  id: 'uint32',
  at: 'float64',
  kind: 'uint8',
  usd: 'float64',
  /** NaN of none. */
  nextChargeUsd: 'float64',
  /** 1 + the place of the chain's next money; 0 of its last. */
  next: 'uint32',
} as const;

export type Bought = Pick<StartRecord, 'product' | 'plan' | 'country' | 'periodDays' | 'trialDays'>;
type Exposure = StartRecord['exposure'];
/** What few records of money say. */
type Rest = Pick<MoneyRecord, 'valuedBy' | 'periodDays' | 'renews' | 'reverses'>;
type FieldValue = readonly [field: string, value: string];

const fieldValueKey = ([field, value]: FieldValue) => `${field}\0${value}`;
const boughtKey = ({ product, plan, country, periodDays, trialDays }: Bought) =>
  JSON.stringify([product, plan, country, periodDays, trialDays]);

/**
 * Starts and their money as columns, a row a chain and a row a record of money, which stay where they are. As objects with
 * texts a start with three charges took 1.6 kB; with 20 fields it takes 440 bytes.
 */
export class KeptConversions {
  readonly #texts = new PackedTexts();
  readonly #chains = new GrowingColumns(chainKinds);
  readonly #money = new GrowingColumns(moneyColumns);
  /** By the place of a record of money. */
  readonly #rest = new Map<number, Rest>();
  readonly #values = new GrowingColumns({ number: 'uint32' });
  readonly #fieldValues = new Numbered<FieldValue>(fieldValueKey);
  readonly #bought = new Numbered<Bought>(boughtKey);
  readonly #paywalls = new Numbered<string>((paywall) => paywall);

  /** Chains. */
  get count(): number {
    return this.#chains.count;
  }

  /** Of every chain and every record of money: until more come. */
  get chains() {
    return this.#chains.columns;
  }

  get money() {
    return this.#money.columns;
  }

  get moneyCount(): number {
    return this.#money.count;
  }

  /** Each field's value that a start had, by its number. */
  get fieldValues(): readonly FieldValue[] {
    return this.#fieldValues.all;
  }

  isOf(chain: number, { high, low }: Hash64): boolean {
    return this.chains.hashHigh[chain] === high && this.chains.hashLow[chain] === low;
  }

  idAt(chain: number): Hash64 {
    return { high: this.chains.hashHigh[chain]!, low: this.chains.hashLow[chain]! };
  }

  /** @returns its place */
  addChain(id: string, { high, low }: Hash64): number {
    const ofNoStart = Object.fromEntries(Object.keys(chainKinds).map((name) => [name, 0])) as ChainRow;
    return this.#chains.push({ ...ofNoStart, hashHigh: high, hashLow: low, id: this.#texts.add(id) });
  }

  setStart(chain: number, start: StartRecord, arm: number, isShown: boolean): void {
    const { exposure, product, plan, country, periodDays, trialDays } = start;
    const values = this.#values.count;
    for (const one of Object.entries(exposure.values)) this.#values.push({ number: this.#fieldValues.numberOf(one) });
    const row: Partial<ChainRow> = {
      ...{ isStarted: 1, isShown: isShown ? 1 : 0, arm, at: start.at },
      bought: this.#bought.numberOf({ product, plan, country, periodDays, trialDays }),
      exposure: this.#texts.add(exposure.id),
      shownAt: exposure.at,
      paywall: this.#paywalls.numberOf(exposure.paywall),
      side: numberOfSide(exposure.side),
      share: exposure.share,
      logValue: orNaN(exposure.logValue),
      ...{ values, valueCount: this.#values.count - values },
    };
    for (const [name, number] of Object.entries(row)) this.chains[name as keyof ChainRow][chain] = number;
  }

  setShown(chain: number): void {
    this.chains.isShown[chain] = 1;
  }

  /** Among its chain's, in the order of time, then of ids; one that is there stays as it is. */
  addMoney(chain: number, record: MoneyRecord): void {
    const { id, at, kind, usd, nextChargeUsd, valuedBy, periodDays, renews, reverses } = record;
    const spelled = spelledId(id, record.chain);
    const isBefore = (other: number) => {
      const otherAt = this.money.at[other]!;
      return otherAt < at || (otherAt === at && this.moneyIdAt(other, record.chain) < id);
    };
    let before = 0;
    for (let place = this.chains.money[chain]!; place !== 0; place = this.money.next[place - 1]!) {
      if (this.#texts.is(this.money.id[place - 1]!, spelled)) return;
      if (isBefore(place - 1)) before = place;
    }
    const next = before === 0 ? this.chains.money[chain]! : this.money.next[before - 1]!;
    const added = this.#money.push({
      ...{ id: this.#texts.add(spelled), at, kind: moneyKinds.indexOf(kind), usd },
      ...{ nextChargeUsd: orNaN(nextChargeUsd), next },
    });
    if (before === 0) this.chains.money[chain] = 1 + added;
    else this.money.next[before - 1] = 1 + added;
    const rest = {
      ...(valuedBy !== undefined && { valuedBy }),
      ...(periodDays !== undefined && { periodDays }),
      ...(renews !== undefined && { renews }),
      ...(reverses !== undefined && { reverses }),
    };
    if (Object.keys(rest).length > 0) this.#rest.set(added, rest);
  }

  chainIdAt(chain: number): string {
    return this.#texts.at(this.chains.id[chain]!);
  }

  exposureIdAt(chain: number): string {
    return this.#texts.at(this.chains.exposure[chain]!);
  }

  /** Of started chains: for each the index of the first of them that is of the same exposure. */
  firstsOfExposures(chains: Uint32Array): Uint32Array {
    return this.#texts.firsts(chains.map((chain) => this.chains.exposure[chain]!));
  }

  /** A start as it is kept here. */
  startAt(chain: number): StartRecord {
    return new KeptStart(this, chain, this.chains.at[chain]!, this.boughtAt(chain));
  }

  /** A start's exposure as it is kept here. */
  exposureAt(chain: number): Exposure {
    return new KeptExposure(this, chain);
  }

  /** A chain's money as it is kept here, in its order. */
  moneyOf(chain: number): readonly MoneyRecord[] {
    const all: MoneyRecord[] = [];
    const { next } = this.money;
    for (let place = this.chains.money[chain]!; place !== 0; place = next[place - 1]!)
      all.push(new KeptMoney(this, chain, place - 1));
    return all;
  }

  boughtAt(chain: number): Bought {
    return this.#bought.at(this.chains.bought[chain]!);
  }

  paywallAt(chain: number): string {
    return this.#paywalls.at(this.chains.paywall[chain]!);
  }

  /** Of each value of a start's context its place in `fieldValues`. Shared, not copied; until the next start. */
  valuesOf(chain: number): ArrayLike<number> {
    const first = this.chains.values[chain]!;
    return this.#values.columns.number.subarray(first, first + this.chains.valueCount[chain]!);
  }

  /** The same of all starts, behind each other: a chain's begin at `chains.values`. */
  get values(): ArrayLike<number> {
    return this.#values.columns.number;
  }

  moneyIdAt(place: number, chain: string): string {
    const spelled = this.#texts.at(this.money.id[place]!);
    return spelled.startsWith(ofChain) ? chain + spelled.slice(1) : spelled.slice(1);
  }

  restAt(place: number): Rest | undefined {
    return this.#rest.get(place);
  }

  write(writer: ByteWriter): void {
    this.#texts.write(writer);
    for (const columns of [this.#chains, this.#money, this.#values]) columns.write(writer);
    for (const all of [this.#fieldValues.all, this.#bought.all, this.#paywalls.all, [...this.#rest]]) writer.jsons(all);
  }

  /** Reads what `write` wrote. */
  static read(reader: ByteReader): KeptConversions {
    const kept = new KeptConversions();
    kept.#texts.read(reader);
    for (const columns of [kept.#chains, kept.#money, kept.#values]) columns.read(reader);
    for (const one of reader.jsons() as readonly FieldValue[]) kept.#fieldValues.numberOf(one);
    for (const one of reader.jsons() as readonly Bought[]) kept.#bought.numberOf(one);
    for (const one of reader.jsons() as readonly string[]) kept.#paywalls.numberOf(one);
    for (const [place, rest] of reader.jsons() as readonly [number, Rest][]) kept.#rest.set(place, rest);
    return kept;
  }
}

/** Most ids of money begin with their chain's: then only what is behind it is kept. */
const [ofChain, ofItsOwn] = ['+', '='] as const;
const spelledId = (id: string, chain: string): string =>
  id.startsWith(chain) ? ofChain + id.slice(chain.length) : ofItsOwn + id;

/** What a reading asks of each is read at once, texts when they are asked for. */
class KeptStart implements StartRecord {
  readonly type = 'start';
  readonly at: number;
  readonly product: string;
  readonly plan: string;
  readonly country: string;
  readonly periodDays: number;
  readonly trialDays: number;
  readonly #kept: KeptConversions;
  readonly #chain: number;
  #exposure: Exposure | null = null;

  constructor(kept: KeptConversions, chain: number, at: number, bought: Bought) {
    this.#kept = kept;
    this.#chain = chain;
    this.at = at;
    this.product = bought.product;
    this.plan = bought.plan;
    this.country = bought.country;
    this.periodDays = bought.periodDays;
    this.trialDays = bought.trialDays;
  }

  get id(): string {
    return this.#kept.chainIdAt(this.#chain);
  }

  get exposure(): Exposure {
    return (this.#exposure ??= this.#kept.exposureAt(this.#chain));
  }
}

class KeptExposure implements Exposure {
  readonly #kept: KeptConversions;
  readonly #chain: number;

  constructor(kept: KeptConversions, chain: number) {
    this.#kept = kept;
    this.#chain = chain;
  }

  get id(): string {
    return this.#kept.exposureIdAt(this.#chain);
  }

  get at(): number {
    return this.#kept.chains.shownAt[this.#chain]!;
  }

  get paywall(): string {
    return this.#kept.paywallAt(this.#chain);
  }

  get values(): FieldValues {
    const { fieldValues } = this.#kept;
    return Object.fromEntries(Array.from(this.#kept.valuesOf(this.#chain), (number) => fieldValues[number]!));
  }

  get side(): Exposure['side'] {
    return sideOf(this.#kept.chains.side[this.#chain]!);
  }

  get share(): number {
    return this.#kept.chains.share[this.#chain]!;
  }

  get logValue(): number | null {
    return orNull(this.#kept.chains.logValue[this.#chain]!);
  }
}

class KeptMoney implements MoneyRecord {
  readonly type = 'money';
  readonly at: number;
  readonly kind: MoneyRecord['kind'];
  readonly usd: number;
  readonly nextChargeUsd: number | null;
  readonly valuedBy: string | undefined;
  readonly periodDays: number | undefined;
  readonly renews: boolean | undefined;
  readonly reverses: boolean | undefined;
  readonly #kept: KeptConversions;
  readonly #chain: number;
  readonly #place: number;

  constructor(kept: KeptConversions, chain: number, place: number) {
    this.#kept = kept;
    this.#chain = chain;
    this.#place = place;
    const { at, kind, usd, nextChargeUsd } = kept.money;
    const rest = kept.restAt(place);
    this.at = at[place]!;
    this.kind = moneyKinds[kind[place]!]!;
    this.usd = usd[place]!;
    this.nextChargeUsd = orNull(nextChargeUsd[place]!);
    this.valuedBy = rest?.valuedBy;
    this.periodDays = rest?.periodDays;
    this.renews = rest?.renews;
    this.reverses = rest?.reverses;
  }

  get id(): string {
    return this.#kept.moneyIdAt(this.#place, this.chain);
  }

  get chain(): string {
    return this.#kept.chainIdAt(this.#chain);
  }
}
