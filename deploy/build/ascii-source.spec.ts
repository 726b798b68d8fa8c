import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import { asciiSource } from './ascii-source.ts';

const isAscii = (text: string) => [...text].every((character) => character <= '\x7f');

describe('asciiSource', () => {
  it('leaves ASCII as it is, escapes included', () => {
    const source = String.raw`const line = '\\' + /\u00e9|\n\\/.source; // done`;
    expect(asciiSource(source)).toBe(source);
  });

  it.each([
    ['a class', '/^[A-ZÇĞ]+$/', 'ÇZ', 'é'],
    ['an escaped character', String.raw`/^\–$/`, '–', 'u2013'],
    ['a backslash before it', String.raw`/^\\é$/`, String.raw`\é`, 'é'],
    ['a pair of surrogates', '/^[😀-😎]$/u', '😃', '\ud83d'],
  ])('lets a regular expression match what it did: %s', (_case, source, match, other) => {
    const ascii = asciiSource(source);
    expect(isAscii(ascii)).toBe(true);
    const [, pattern = '', flags = ''] = /^\/(.*)\/(u?)$/.exec(ascii) ?? [];
    const expression = new RegExp(pattern, flags);
    expect([match, other].map((text) => expression.test(text))).toEqual([true, false]);
  });

  it('escapes whatever is not ASCII, in any text', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => isAscii(asciiSource(text))));
  });
});
