import { Dictionary, customFields, exposuresOfACustomField } from '../features/dictionary.ts';
import { absent } from '../features/field-value.ts';
import { contextFields, customPrefix, type FieldValues } from '../features/field-values.ts';

/** A dictionary that is a function of the set of exposures: by count, then by the text's code units. */
export function countDictionary(exposures: Iterable<FieldValues>): Dictionary {
  const fields = new Map<string, Map<string, number>>();
  const totals = new Map<string, number>();
  let all = 0;
  for (const values of exposures) {
    all++;
    for (const [field, value] of Object.entries(values)) {
      totals.set(field, (totals.get(field) ?? 0) + 1);
      const counts = fields.get(field) ?? new Map<string, number>();
      fields.set(field, counts.set(value, (counts.get(value) ?? 0) + 1));
    }
  }
  const custom = [...totals].filter(
    ([field, count]) => field.startsWith(customPrefix) && count >= exposuresOfACustomField,
  );
  const known = [
    ...contextFields,
    ...custom
      .sort(byCount)
      .slice(0, customFields)
      .map(([field]) => field),
  ];
  const others = [...totals].filter(([field]) => field.startsWith(customPrefix) && !known.includes(field));
  const dictionary = new Dictionary(known, [], others);
  known.forEach((field, place) => {
    const counts = new Map(fields.get(field));
    counts.set(absent, all - (totals.get(field) ?? 0) + (counts.get(absent) ?? 0));
    for (const [value] of [...counts].sort(byCount)) dictionary.assign(place, value);
  });
  return dictionary;
}

const byCount = ([one, ones]: readonly [string, number], [other, others]: readonly [string, number]) =>
  others - ones || (one < other ? -1 : one > other ? 1 : 0);
