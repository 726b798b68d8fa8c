import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import type { SessionClaims } from './session-claims.ts';
import { SessionTokens } from './session-tokens.ts';

const first = { id: 1, secret: randomBytes(32) };
const second = { id: 2, secret: randomBytes(32) };
const tokens = new SessionTokens([first]);
const invalid = { ok: false, fault: 'invalid' };

const integer = fc.maxSafeInteger();
const claimsOf = fc.record<SessionClaims>({
  appId: integer,
  profileId: fc.uuid(),
  decisionId: fc.uuid(),
  placementId: fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
  paywallId: integer,
  aiPricingModelId: fc.option(integer),
  abTestId: fc.option(integer),
  isExperiment: fc.boolean(),
  issuedAt: integer,
});
const anyClaims: SessionClaims = {
  appId: 1,
  profileId: '01890a5d-ac96-774b-bcce-b302099a8057',
  decisionId: '01890a5d-ac96-774b-bcce-b302099a8058',
  placementId: 'onboarding',
  paywallId: 3,
  aiPricingModelId: 1,
  abTestId: null,
  isExperiment: true,
  issuedAt: Date.UTC(2026, 0, 1),
};
const someToken = () => tokens.issue(anyClaims);

const signed = (secret: Buffer, ...parts: Uint8Array[]) => {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([bytes, createHmac('sha256', secret).update(bytes).digest()]).toString('base64url');
};

describe('SessionTokens', () => {
  it('gives back the claims that it was given', () => {
    fc.assert(
      fc.property(claimsOf, (claims) => {
        expect(tokens.verify(tokens.issue(claims))).toEqual({ ok: true, claims });
      }),
    );
  });

  it('issues tokens of 228 URL-safe characters', () => {
    fc.assert(
      fc.property(claimsOf, (claims) => {
        expect(tokens.issue(claims)).toMatch(/^[A-Za-z0-9_-]{228}$/);
      }),
    );
  });

  it('refuses a token with any bit flipped', () => {
    const bytes = Buffer.from(someToken(), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(tokens.verify(flipped.toString('base64url'))).toEqual(invalid);
    }
  });

  it('refuses a token with any character replaced', () => {
    const token = someToken();
    const other = fc.string({ minLength: 1, maxLength: 2, unit: anyCharacter });
    fc.assert(
      fc.property(fc.nat(token.length - 1), other, (at, text) => {
        fc.pre(token[at] !== text);
        expect(tokens.verify(token.slice(0, at) + text + token.slice(at + 1))).toEqual(invalid);
      }),
    );
  });

  it('refuses every truncation, at both ends', () => {
    const token = someToken();
    for (let length = 0; length < token.length; length++) {
      expect(tokens.verify(token.slice(0, length))).toEqual(invalid);
      expect(tokens.verify(token.slice(token.length - length))).toEqual(invalid);
    }
  });

  it.each(['=', '==', ' ', '\n', 'A', 'AAAA', '\0', '.'])('refuses a token with %j behind or before it', (more) => {
    expect(tokens.verify(someToken() + more)).toEqual(invalid);
    expect(tokens.verify(more + someToken())).toEqual(invalid);
  });

  it('refuses the other alphabet of base64', () => {
    const spelt = fc
      .sample(claimsOf, 50)
      .map((claims) => tokens.issue(claims))
      .filter((token) => /[-_]/.test(token));
    expect(spelt.length).toBeGreaterThan(0);
    for (const token of spelt) {
      expect(tokens.verify(token.replaceAll('-', '+').replaceAll('_', '/'))).toEqual(invalid);
    }
  });

  it('refuses whatever else is said to be a token', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 5_000 }), fc.base64String({ maxLength: 5_000 })), (text) => {
        expect(tokens.verify(text)).toEqual(invalid);
      }),
    );
  });

  it('refuses a token of another key, of the same id or not', () => {
    const token = someToken();
    expect(new SessionTokens([{ id: 1, secret: second.secret }]).verify(token)).toEqual(invalid);
    expect(new SessionTokens([second]).verify(token)).toEqual(invalid);
  });

  it('signs with the first key and verifies with all', () => {
    const old = someToken();
    const rotated = new SessionTokens([second, first]);
    expect(rotated.verify(old)).toMatchObject({ ok: true });
    expect(tokens.verify(rotated.issue(anyClaims))).toEqual(invalid);
    expect(new SessionTokens([second]).verify(rotated.issue(anyClaims))).toEqual({ ok: true, claims: anyClaims });
  });

  it('verifies with every key of an id, and signs with the first', () => {
    const newer = { id: first.id, secret: second.secret };
    const rotated = new SessionTokens([newer, first]);
    expect(rotated.verify(someToken())).toEqual({ ok: true, claims: anyClaims });
    expect(new SessionTokens([newer]).verify(rotated.issue(anyClaims))).toEqual({ ok: true, claims: anyClaims });
    expect(new SessionTokens([newer]).verify(someToken())).toEqual(invalid);
    expect(rotated.verify(signed(randomBytes(32), Uint8Array.of(1, first.id)))).toEqual(invalid);
  });

  it('tells a well-signed token of another version from a forged one, whatever its length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 300 }), (version, rest) => {
        fc.pre(version !== 1);
        const head = Uint8Array.of(version, first.id);
        expect(tokens.verify(signed(first.secret, head, rest))).toEqual({ ok: false, fault: 'unsupported-version' });
        expect(tokens.verify(signed(second.secret, head, rest))).toEqual(invalid);
      }),
    );
  });

  it('refuses a well-signed token whose claims are no claims', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 136 }), (rest) => {
        expect(tokens.verify(signed(first.secret, Uint8Array.of(1, first.id), rest))).toEqual(invalid);
      }),
    );
    const nothing = new Uint8Array(137).fill(0xff);
    expect(tokens.verify(signed(first.secret, Uint8Array.of(1, first.id), nothing))).toEqual(invalid);
  });

  it.each([
    ['placementId', ''],
    ['placementId', 'a'.repeat(65)],
    ['placementId', 'café'],
    ['profileId', 'p-1'],
    ['decisionId', 'ZZZZZZZZ-0000-4000-8000-000000000000'],
    ['paywallId', 1.5],
    ['issuedAt', NaN],
  ])('issues nothing for a %s of %j', (name, value) => {
    expect(() => tokens.issue({ ...anyClaims, [name]: value })).toThrow(RangeError);
  });

  it.each([
    ['no key', []],
    ['a short key', [{ id: 1, secret: randomBytes(31) }]],
    ['an id that is no byte', [{ id: 256, secret: randomBytes(32) }]],
    ['a short key behind a good one', [first, { id: 2, secret: randomBytes(31) }]],
    ['an id that is no byte behind one that is', [first, { id: -1, secret: randomBytes(32) }]],
  ])('does not work with %s', (_, keys) => {
    expect(() => new SessionTokens(keys)).toThrow(RangeError);
  });
});
