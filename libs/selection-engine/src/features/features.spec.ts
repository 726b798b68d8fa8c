import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { noFacts } from './no-facts.ts';
import { Dictionary } from './dictionary.ts';
import { FeatureEncoder } from './feature-encoder.ts';
import { customValue, magnitudeValue, textValue } from './field-value.ts';
import { contextFields, fieldValues } from './field-values.ts';
import { isPersonalKey } from './is-personal-key.ts';

const thursday = Date.UTC(2026, 0, 1, 21, 30);
const facts = {
  ...noFacts,
  country: ' DE ',
  device: 'iPhone15,2',
  os: 'iOS',
  osVersion: '17.3.1',
  appVersion: '4.12.0-beta',
  locale: 'de_AT',
  profileCreatedAt: thursday - 5 * 86_400_000,
  custom: { Goal: 'Sleep', level: '12', email: 'a@b.c', userId: '7', nothing: '' },
};

describe('field values', () => {
  it('are what the context says, personal keys left out', () => {
    expect(fieldValues({ facts, at: thursday, placementId: 'Onboarding' }, null)).toEqual({
      country: 'de',
      deviceModel: 'iphone15,2',
      deviceFamily: 'iphone',
      os: 'ios 17',
      appVersion: '4.12',
      locale: 'de-at',
      language: 'de',
      placement: 'onboarding',
      dayBlock: '5',
      weekday: '4',
      profileAge: '+2^2',
      'custom.goal': 'sleep',
      'custom.level': '+2^3',
    });
  });

  it('take the user’s own hour and day where they are known', () => {
    const at = (offset: number | null) => {
      const { dayBlock, weekday } = fieldValues({ facts, at: thursday, placementId: 'p' }, offset);
      return `${weekday}/${dayBlock}`;
    };
    expect([null, 0, 150, -330].map(at)).toEqual(['4/5', '4/5', '5/0', '4/4']);
  });

  it('leave out what is not known', () => {
    expect(fieldValues({ facts: noFacts, at: 0, placementId: 'p' }, null)).toEqual({
      placement: 'p',
      dayBlock: '0',
      weekday: '4',
      profileAge: 'new',
    });
  });

  it('compare texts by NFC, case and 64 code points', () => {
    expect(textValue('  E\u0301TE\u0301 ')).toBe('été');
    expect([...textValue('\u{1f600}'.repeat(80))]).toHaveLength(64);
    expect([null, undefined, '', ' \0 '].map(textValue)).toEqual(['∅', '∅', '∅', '∅']);
  });

  it('compare numbers by sign and magnitude', () => {
    expect([0, 1, 8, 15.9, 16, -0.3, NaN, Infinity].map(magnitudeValue)).toEqual([
      '0', '+2^0', '+2^3', '+2^3', '+2^4', '-2^-2', '∅', '∅',
    ]); // prettier-ignore
    expect(['12', ' -3.5', '1e9', '0x10', '1,5', '007'].map(customValue)).toEqual([
      '+2^3', '-2^1', '1e9', '0x10', '1,5', '+2^2',
    ]); // prettier-ignore
  });

  it.each([
    'email', 'E-Mail', 'userEmail', 'phone_number', 'Username', 'gender', 'age', 'birthday', 'date of birth', 'idfa',
    'advertisingId', 'advertisingid', 'ip', 'ip_address', 'id', 'userId', 'customeruserid', 'USER_ID', 'firstName',
  ])('never take %s', (key) => expect(isPersonalKey(key)).toBe(true)); // prettier-ignore
  it.each(['paid', 'android', 'language', 'usage', 'plan_name', 'goal', 'skip', 'page'])('may take %s', (key) =>
    expect(isPersonalKey(key)).toBe(false),
  );
});

describe('a dictionary', () => {
  it('numbers values as they come, absence too, and knows none unseen', () => {
    const dictionary = new Dictionary(['country', 'os']);
    const encoder = new FeatureEncoder(dictionary);
    expect([...encoder.learn({ country: 'de' })]).toEqual([0, 1, 2]);
    expect([...encoder.learn({ country: 'fr', os: 'ios 17' })]).toEqual([0, 3, 4]);
    expect([...encoder.encode({ country: 'fr' })]).toEqual([0, 3, 2]);
    expect([...encoder.encode({ country: 'it', os: 'de' })]).toEqual([0, -1, -1]);
    expect(dictionary.size).toBe(5);
    expect(dictionary.groups).toEqual([0, 1, 2, 1, 2]);
  });

  it('has 4,096 values a field, then 256 buckets', () => {
    const dictionary = new Dictionary(['a', 'b']);
    const first = dictionary.assign(1, 'other');
    for (let value = 0; value < 4_096; value++) dictionary.assign(0, `v${value}`);
    const size = dictionary.size;
    expect(dictionary.find(0, 'late')).toBe(-1);
    const late = Array.from({ length: 20_000 }, (_, value) => dictionary.assign(0, `late${value}`));
    expect(dictionary.size).toBe(size + 256);
    expect(new Set(late).size).toBe(256);
    expect(dictionary.find(0, 'v17')).toBe(19);
    expect(dictionary.find(0, 'late7')).toBe(late[7]);
    expect(dictionary.find(0, '\u00007')).not.toBe(19);
    expect(dictionary.assign(1, 'other')).toBe(first);
  });

  it('makes a custom key a field with its 200th exposure, and has room for 32', () => {
    const dictionary = new Dictionary(contextFields);
    const encoder = new FeatureEncoder(dictionary);
    const values = Object.fromEntries(Array.from({ length: 40 }, (_, key) => [`custom.k${key}`, 'x']));
    for (let exposure = 0; exposure < 199; exposure++) encoder.learn(values);
    expect(dictionary.fields).toEqual(contextFields);
    expect(encoder.learn(values)).toHaveLength(1 + contextFields.length + 32);
    for (let exposure = 0; exposure < 300; exposure++) encoder.learn(values);
    expect(dictionary.fields).toHaveLength(contextFields.length + 32);
  });

  it('is the same after a round trip through its state', () => {
    const value = fc.record(
      { a: fc.string(), 'custom.x': fc.string(), 'custom.y': fc.constantFrom('1', '2') },
      {
        requiredKeys: [],
      },
    );
    fc.assert(
      fc.property(fc.array(value), fc.array(value), (before, after) => {
        const dictionary = new Dictionary(['a']);
        for (const values of before) new FeatureEncoder(dictionary).learn(values);
        const { fields, entries, counts } = dictionary.state();
        const again = new Dictionary(fields, entries, counts);
        for (const values of after) {
          expect(new FeatureEncoder(again).learn(values)).toEqual(new FeatureEncoder(dictionary).learn(values));
        }
        expect(again.state()).toEqual(dictionary.state());
      }),
    );
  });
});
