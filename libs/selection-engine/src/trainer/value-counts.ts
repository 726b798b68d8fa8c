import { Dictionary, customFields, exposuresOfACustomField } from '../features/dictionary.ts';
import { absent } from '../features/field-value.ts';
import { contextFields, customPrefix, type FieldValues } from '../features/field-values.ts';

/** Values of a field, and custom keys, that are counted: beyond these the rarest are forgotten, and half is free. */
const countedValues = 16_384;
const countedKeys = 500;

interface FieldCounts {
  total: number;
  readonly values: Map<string, number>;
}

/**
 * Counts values in bounded memory, for a dictionary that is a function of the exposures: by count, then by the text's
 * code units. Exact while a field has 16,384 values; beyond, values that are rare so far begin anew, so that what is
 * frequent in a shuffled order stays (lossy counting).
 * @see Manku and Motwani, Approximate frequency counts over data streams, 2002
 */
export class ValueCounts {
  readonly #context = new Map<string, FieldCounts>();
  readonly #custom = new Map<string, FieldCounts>();
  #exposures = 0;

  /** To be called in an order that is a function of the set of exposures. */
  add(values: FieldValues): void {
    this.#exposures++;
    for (const [field, value] of Object.entries(values)) {
      const counts = this.#of(field);
      counts.total++;
      counts.values.set(value, (counts.values.get(value) ?? 0) + 1);
      if (counts.values.size > countedValues) forgetRarest(counts.values, (count) => count, countedValues / 2);
    }
  }

  dictionary(): Dictionary {
    const custom = [...this.#custom].map(([field, { total }]) => [field, total] as const).sort(byCount);
    const frequent = custom.filter(([, count]) => count >= exposuresOfACustomField).slice(0, customFields);
    const known = [...contextFields, ...frequent.map(([field]) => field)];
    const dictionary = new Dictionary(
      known,
      [],
      custom.filter(([field]) => !known.includes(field)),
    );
    known.forEach((field, place) => {
      const { total, values } = this.#of(field);
      const counts = new Map(values).set(absent, this.#exposures - total + (values.get(absent) ?? 0));
      for (const [value] of [...counts].sort(byCount)) dictionary.assign(place, value);
    });
    return dictionary;
  }

  #of(field: string): FieldCounts {
    const isCustom = field.startsWith(customPrefix);
    const fields = isCustom ? this.#custom : this.#context;
    const known = fields.get(field);
    if (known !== undefined) return known;
    if (isCustom && fields.size >= countedKeys) forgetRarest(fields, ({ total }) => total, countedKeys / 2);
    const fresh = { total: 0, values: new Map<string, number>() };
    fields.set(field, fresh);
    return fresh;
  }
}

const byCount = ([one, ones]: readonly [string, number], [other, others]: readonly [string, number]) =>
  others - ones || (one < other ? -1 : one > other ? 1 : 0);

/** Leaves at most that many, the most frequent ones. Of those that are as frequent as the last one, none. */
function forgetRarest<Counted>(counts: Map<string, Counted>, countOf: (counted: Counted) => number, most: number) {
  const falling = Float64Array.from([...counts.values()].map(countOf))
    .sort()
    .reverse();
  const least = falling[most] ?? 0;
  for (const [key, counted] of counts) if (countOf(counted) <= least) counts.delete(key);
}
