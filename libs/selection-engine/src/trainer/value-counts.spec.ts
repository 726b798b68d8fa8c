import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ValueCounts } from './value-counts.ts';

const countries = (counts: ValueCounts) => {
  const { fields, entries } = counts.dictionary().state();
  return entries.filter(([field]) => fields[field] === 'country').map(([, value]) => value);
};

describe('ValueCounts', () => {
  it('numbers values by how often they were met, then by their text, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('de', 'fr', 'us', 'at'), { maxLength: 60 }), (values) => {
        const counts = new ValueCounts();
        for (const country of values) counts.add({ country });
        const number = (value: string) => values.filter((one) => one === value).length;
        const known = [...new Set(values)].sort((one, other) => number(other) - number(one) || (one < other ? -1 : 1));
        expect(countries(counts).filter((value) => value !== '∅')).toEqual(known);
      }),
    );
  });

  it('keeps what is frequent where most values are met once, in bounded memory', () => {
    const counts = new ValueCounts();
    for (let index = 0; index < 100_000; index++) {
      counts.add({ country: index % 10 === 0 ? `frequent ${index % 50}` : `once ${index}` });
    }
    const first = countries(counts).slice(0, 5);
    expect(first.toSorted()).toEqual([0, 10, 20, 30, 40].map((index) => `frequent ${index}`));
    expect(countries(counts).length).toBeLessThanOrEqual(4_096 + 256);
  });

  it('makes fields of the custom keys that are met often, however many there are', () => {
    const counts = new ValueCounts();
    for (let index = 0; index < 20_000; index++) {
      counts.add({ 'custom.goal': `g${index % 3}`, [`custom.k${index}`]: 'x', [`custom.often${index % 50}`]: 'y' });
    }
    const { fields } = counts.dictionary();
    const custom = fields.filter((field) => field.startsWith('custom.'));
    expect(custom).toHaveLength(32);
    expect(custom[0]).toBe('custom.goal');
    expect(custom.slice(1).every((field) => field.startsWith('custom.often'))).toBe(true);
  });
});
