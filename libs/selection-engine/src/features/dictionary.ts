import { hash64 } from '../numbers/hash64.ts';
import { absent } from './field-value.ts';
import { customPrefix, type FieldValues } from './field-values.ts';

const valuesOfAField = 4_096;
const buckets = 256;
export const exposuresOfACustomField = 200;
export const customFields = 32;
/** Keys that are counted: more are an attack or a mistake. */
const countedKeys = 2_000;

/** A dictionary as data: entries in the order of their indexes, from 1. */
export interface DictionaryState {
  readonly fields: readonly string[];
  readonly entries: readonly (readonly [field: number, value: string])[];
  /** Exposures by custom field that is not one of `fields` yet. */
  readonly counts: readonly (readonly [field: string, exposures: number])[];
}

/**
 * Numbers the values of fields, in the order in which they are met. Index 0 is the intercept. A field has
 * 4,096 values; those met later share 256 buckets by hash. Fields are only ever added.
 */
export class Dictionary {
  readonly #fields: string[] = [];
  /** The same, as a set. */
  readonly #known = new Set<string>();
  /** Of each index: 0 for the intercept, else 1 + the field's number. */
  readonly #groups: number[] = [0];
  /** Of each index: its place among its group's, from 1. */
  readonly #places: number[] = [1];
  readonly #values: string[] = [''];
  readonly #indexes: Map<string, number>[] = [];
  readonly #counts = new Map<string, number>();

  constructor(
    fields: readonly string[],
    entries: DictionaryState['entries'] = [],
    counts: DictionaryState['counts'] = [],
  ) {
    for (const field of fields) this.addField(field);
    for (const [field, value] of entries) this.#add(field, value);
    for (const [field, exposures] of counts) this.#counts.set(field, exposures);
  }

  get fields(): readonly string[] {
    return this.#fields;
  }

  /** How many indexes there are, the intercept's included. */
  get size(): number {
    return this.#groups.length;
  }

  /** 0 of the intercept, else 1 + the number of the field whose value the index is. */
  groupOf(index: number): number {
    return this.#groups[index] ?? 0;
  }

  get groups(): readonly number[] {
    return this.#groups;
  }

  /** Of each index: its place among those of its field, from 1. */
  get places(): readonly number[] {
    return this.#places;
  }

  /** The index of a value, -1 if it was never met. */
  find(field: number, value: string): number {
    const indexes = this.#indexes[field];
    if (indexes === undefined) return -1;
    return indexes.get(value) ?? (indexes.size < valuesOfAField ? -1 : (indexes.get(this.#bucket(field, value)) ?? -1));
  }

  /** The index of a value, a new one if it was never met. */
  assign(field: number, value: string): number {
    const found = this.find(field, value);
    if (found >= 0) return found;
    const full = (this.#indexes[field]?.size ?? 0) >= valuesOfAField;
    return this.#add(field, full ? this.#bucket(field, value) : value);
  }

  addField(field: string): void {
    if (this.#known.has(field)) throw new RangeError(`The dictionary has the field ${field} already.`);
    this.#fields.push(field);
    this.#known.add(field);
    this.#indexes.push(new Map());
    this.#counts.delete(field);
  }

  /** Counts an exposure's custom fields; one becomes a field with its 200th exposure, while there is room for it. */
  countCustom(values: FieldValues): void {
    for (const field of this.#unknownCustom(values).sort()) {
      const exposures = (this.#counts.get(field) ?? 0) + 1;
      const room = this.#fields.filter((name) => name.startsWith(customPrefix)).length < customFields;
      if (exposures >= exposuresOfACustomField && room) this.addField(field);
      else if (this.#counts.has(field) || this.#counts.size < countedKeys) this.#counts.set(field, exposures);
    }
  }

  /** Most exposures have none. */
  #unknownCustom(values: FieldValues): string[] {
    const unknown: string[] = [];
    for (const field in values) if (!this.#known.has(field) && field.startsWith(customPrefix)) unknown.push(field);
    return unknown;
  }

  state(): DictionaryState {
    const entries = this.#values.map((value, index) => [this.groupOf(index) - 1, value] as const).slice(1);
    return {
      fields: [...this.#fields],
      entries,
      counts: [...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)),
    };
  }

  #add(field: number, value: string): number {
    const indexes = this.#indexes[field];
    if (indexes === undefined) throw new RangeError(`The dictionary has no field ${field}.`);
    const index = this.size;
    this.#groups.push(field + 1);
    this.#values.push(value);
    indexes.set(value, index);
    this.#places.push(indexes.size);
    return index;
  }

  /** NUL is in no value, so no value reads like a bucket. */
  #bucket(field: number, value: string): string {
    return `\0${hash64(`${this.#fields[field] ?? ''}\0${value}`).high % buckets}`;
  }
}

/** The value of a field in an exposure, ∅ if it has none. */
export const valueOf = (values: FieldValues, field: string): string => values[field] ?? absent;
