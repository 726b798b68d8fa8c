import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedId } from './derived-id.ts';

it('never changes: ids that were derived from a text are in streams and topics', () =>
  expect(derivedId('1:app_store:1000')).toBe('3bcaa0c9-f0d1-86d2-934d-828a6202f3f6'));

it('is a UUID of version 8, another for another text', () =>
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(derivedId(a)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(derivedId(a) === derivedId(b)).toBe(a === b);
    }),
  ));
