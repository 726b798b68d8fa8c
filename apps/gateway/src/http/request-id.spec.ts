import { expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { newRequestId } from './request-id.ts';

it('gives every request another UUIDv7', () => {
  const ids = Array.from({ length: 2_000 }, newRequestId);
  expect(new Set(ids).size).toBe(2_000);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  const randomTails = new Set(ids.map((id) => id.slice(-12)));
  expect(randomTails.size).toBe(2_000);
});
