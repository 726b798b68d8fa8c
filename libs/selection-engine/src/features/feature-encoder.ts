import { valueOf, type Dictionary } from './dictionary.ts';
import type { FieldValues } from './field-values.ts';

/**
 * Turns field values into active indexes: 0 for the intercept, then one a field of the dictionary. Both answers
 * are one array, written anew by every call.
 */
export class FeatureEncoder {
  readonly #dictionary: Dictionary;
  #active = new Int32Array(0);

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** How many are active of a context. */
  get columns(): number {
    return 1 + this.#dictionary.fields.length;
  }

  /** The dictionary's. */
  get fields(): readonly string[] {
    return this.#dictionary.fields;
  }

  /** For serving: -1 where the dictionary has not met the value. */
  encode(values: FieldValues): Int32Array {
    const { fields } = this.#dictionary;
    const active = this.#room(fields.length + 1);
    for (let field = 0; field < fields.length; field++) {
      active[field + 1] = this.#dictionary.find(field, valueOf(values, fields[field] ?? ''));
    }
    return active;
  }

  /** For an exposure that is learned from: a value that was never met gets an index, and custom keys are counted. */
  learn(values: FieldValues): Int32Array {
    this.#dictionary.countCustom(values);
    return this.assign(values);
  }

  /** As `learn`, of an exposure that was counted before. */
  assign(values: FieldValues): Int32Array {
    const { fields } = this.#dictionary;
    const active = this.#room(fields.length + 1);
    for (let field = 0; field < fields.length; field++) {
      active[field + 1] = this.#dictionary.assign(field, valueOf(values, fields[field] ?? ''));
    }
    return active;
  }

  /** As `assign`, of one field's value. @param field its number */
  assignValue(field: number, value: string): number {
    return this.#dictionary.assign(field, value);
  }

  #room(length: number): Int32Array {
    if (this.#active.length !== length) this.#active = new Int32Array(length);
    return this.#active;
  }
}
