import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AdminTokens } from './admin-tokens.ts';

describe('AdminTokens', () => {
  const tokens = new AdminTokens('ops:one, eye:two:viewer ,,ops:three:admin,');

  it('knows each token by its name, role and place', () => {
    expect(tokens.find('one')).toEqual({ name: 'ops', role: 'admin', place: 1 });
    expect(tokens.find('two')).toEqual({ name: 'eye', role: 'viewer', place: 2 });
    expect(tokens.find('three')).toEqual({ name: 'ops', role: 'admin', place: 4 });
  });

  it('knows no other text', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!['one', 'two', 'three'].includes(text));
        expect(tokens.find(text)).toBeNull();
      }),
    ));

  it('opens nothing when there is none', () => expect(new AdminTokens('').find('')).toBeNull());

  it.each([
    ['ops', 'ADMIN_TOKENS: entry 1 must be name:token or name:token:role'],
    ['ops:', 'ADMIN_TOKENS: entry 1 must be name:token or name:token:role'],
    [':secret', 'ADMIN_TOKENS: entry 1 must be name:token or name:token:role'],
    ['ops:one,a b:secret', 'ADMIN_TOKENS: entry 2 must be name:token or name:token:role'],
    ['ops:sec:ret:admin', 'ADMIN_TOKENS: entry 1 must be name:token or name:token:role'],
    ['ops:secret:root', 'ADMIN_TOKENS: the role of entry 1 must be admin or viewer'],
    ['ops:secret,ci:secret', 'ADMIN_TOKENS: two entries have the same token'],
  ])('refuses %s without repeating it', (text, message) =>
    expect(() => new AdminTokens(text)).toThrow(new RangeError(message)),
  );
});
