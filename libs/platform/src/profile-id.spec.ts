import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deriveKey } from './derived-key.ts';
import { profileIdOf, profileIdPurpose } from './profile-id.ts';

const key = deriveKey('a master key of at least 32 characters', profileIdPurpose);

describe('profileIdOf', () => {
  it('stays what it was: profiles are found by it', () => {
    for (const sameKey of [key, createSecretKey(key)])
      expect(profileIdOf(sameKey, 1, 'user-1')).toBe('7d911d54-4569-8a2b-ae0d-07eb3fedb4ef');
  });

  it('is a UUID of version 8', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), (appId, user) => {
        expect(profileIdOf(key, appId, user)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  it('differs by key, app and user', () => {
    const other = deriveKey('a master key of at least 32 characters', 'another purpose');
    const ids = [
      profileIdOf(key, 1, 'u'),
      profileIdOf(key, 2, 'u'),
      profileIdOf(key, 1, 'v'),
      profileIdOf(other, 1, 'u'),
    ];
    expect(new Set([...ids, profileIdOf(key, 11, ':1'), profileIdOf(key, 1, '1:1')]).size).toBe(6);
  });
});
