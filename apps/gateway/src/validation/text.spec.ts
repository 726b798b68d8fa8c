import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import { hasCodePoints, isOurId, isStorable, isText } from './text.ts';

describe('hasCodePoints', () => {
  it('counts as Array.from does', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 30 }), fc.nat(12), fc.nat(12), (text, min, more) => {
        const count = Array.from(text).length;
        expect(hasCodePoints(text, min, min + more)).toBe(count >= min && count <= min + more);
      }),
    ));

  it('counts an emoji once', () => {
    expect(hasCodePoints('😀'.repeat(255), 1, 255)).toBe(true);
    expect(hasCodePoints('😀'.repeat(256), 1, 255)).toBe(false);
    expect(hasCodePoints('😀', 2, 2)).toBe(false);
  });
});

it.each(['\0', 'a\0b', '\ud800', 'a\udc00'])('takes no text that no store keeps: %j', (text) => {
  expect([isStorable(text), isText(text, 0, 255)]).toEqual([false, false]);
});

it.each([
  ['01a1ff2a-eabd-7649-b467-0adce80e42d9', true],
  ['01A1FF2A-EABD-7649-B467-0ADCE80E42D9', false],
  ['01a1ff2a-eabd-0649-b467-0adce80e42d9', false],
  ['01a1ff2a-eabd-7649-7467-0adce80e42d9', false],
  ['01a1ff2aeabd7649b4670adce80e42d9', false],
  ['', false],
])('tells whether %j can be an id of ours', (text, expected) => expect(isOurId(text)).toBe(expected));
