import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from './testing/any-character.ts';
import { CannotUnseal, Sealing } from './sealing.ts';

const masterKey = 'a master key for tests, 32 characters';
const sealing = new Sealing(masterKey, 'test');

it('opens what it sealed, and shows nothing of it', () =>
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string(), (text, context) => {
      const sealed = sealing.seal(text, context);
      expect(new Sealing(masterKey, 'test').open(sealed, context)).toBe(text);
    }),
    { numRuns: 50 },
  ));

it('seals a text otherwise each time', () => expect(sealing.seal('text', 'a')).not.toBe(sealing.seal('text', 'a')));

it.each([
  ['another context', (sealed: string) => sealing.open(sealed, 'b')],
  ['another purpose', (sealed: string) => new Sealing(masterKey, 'other').open(sealed, 'a')],
  ['another master key', (sealed: string) => new Sealing(`${masterKey}!`, 'test').open(sealed, 'a')],
  [
    'a changed byte',
    (sealed: string) => sealing.open(`${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`, 'a'),
  ],
  ['a text cut short', () => sealing.open('s1.AAAA', 'a')],
  ['another version', (sealed: string) => sealing.open(sealed.replace('s1', 's2'), 'a')],
])('refuses %s, in words that hold nothing of it', (_, open) => {
  const sealed = sealing.seal('secret text', 'a');
  expect(() => open(sealed)).toThrow(CannotUnseal);
  expect(() => open(sealed)).not.toThrow(/secret/);
});

describe('with former keys', () => {
  const newKey = 'the newest master key, 32 characters';
  const rotated = new Sealing(newKey, 'test', ['a key that sealed nothing of these, at all', masterKey]);

  it('opens what any of them sealed, and seals with the newest', () => {
    expect(rotated.open(sealing.seal('text', 'a'), 'a')).toBe('text');
    const sealed = rotated.seal('text', 'a');
    expect(new Sealing(newKey, 'test').open(sealed, 'a')).toBe('text');
    expect(() => sealing.open(sealed, 'a')).toThrow(CannotUnseal);
  });

  it('seals again what a former key sealed, and nothing else', () => {
    const again = rotated.resealed(sealing.seal('text', 'a'), 'a');
    expect(new Sealing(newKey, 'test').open(again ?? '', 'a')).toBe('text');
    expect(rotated.resealed(again ?? '', 'a')).toBeNull();
  });

  it('opens nothing for something else, and nothing of a key that it does not have', () => {
    expect(() => rotated.open(sealing.seal('text', 'a'), 'b')).toThrow(CannotUnseal);
    expect(() => rotated.resealed(sealing.seal('text', 'a'), 'b')).toThrow(CannotUnseal);
    expect(() => rotated.open(new Sealing(`${masterKey}!`, 'test').seal('text', 'a'), 'a')).toThrow(CannotUnseal);
  });
});
