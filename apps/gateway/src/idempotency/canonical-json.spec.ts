import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, fingerprintOf } from './canonical-json.ts';

/** The same value with the fields of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reordered(field)]),
  );
}

describe('canonicalJson', () => {
  it('is JSON of the same value', () =>
    fc.assert(
      fc.property(fc.json(), (text) => expect(JSON.parse(canonicalJson(JSON.parse(text)))).toEqual(JSON.parse(text))),
      { examples: [['[0]']] },
    ));

  it('is the same for every order of fields and every white space', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 4 }), (value, indent) => {
        const other = JSON.parse(JSON.stringify(reordered(value), null, indent));
        expect(canonicalJson(other)).toBe(canonicalJson(JSON.parse(JSON.stringify(value))));
      }),
    ));

  it('differs for values that differ', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        fc.pre(JSON.stringify(reordered(a)) !== JSON.stringify(reordered(b)));
        const same = canonicalJson(a) === canonicalJson(b);
        if (same) expect(a).toEqual(b);
      }),
    ));

  it.each([
    ['[1,2]', '[2,1]'],
    ['{"a":null}', '{}'],
    ['"1"', '1'],
    ['1e400', 'null'],
    ['{"a":{"b":1}}', '{"a":{},"b":1}'],
    ['{"__proto__":1}', '{}'],
  ])('tells %s from %s', (a, b) => expect(canonicalJson(JSON.parse(a))).not.toBe(canonicalJson(JSON.parse(b))));

  it('takes a hundred thousand nested arrays', () => {
    const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const value: unknown = JSON.parse(text);
    expect(canonicalJson(value) === text).toBe(true);
    expect(fingerprintOf(value)).toHaveLength(32);
  });
});
