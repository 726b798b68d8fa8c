import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any character of Unicode, as the `unit` of a text: fast-check's `binary` first makes a table of all 1.1 million. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - surrogates.count }).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (character) => indexOf(String(character)),
);

function indexOf(character: string): number {
  const [only, ...more] = Array.from(character, (one) => one.codePointAt(0)!);
  if (only === undefined || more.length > 0) throw new Error('Not one character');
  return only < surrogates.first ? only : only - surrogates.count;
}
