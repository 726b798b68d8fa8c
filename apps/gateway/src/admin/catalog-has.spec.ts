import { expect, it } from '@jest/globals';
import { catalogHas } from './catalog-has.ts';

it.each([
  [[], 'its catalog has none.'],
  [['calm'], 'its catalog has calm.'],
  [['calm', 'bold', 'kind'], 'its catalog has calm, bold and kind.'],
])('lists %j', (names, sentence) => expect(catalogHas(names)).toBe(sentence));

it('ends with how many more there are', () => {
  const names = Array.from({ length: 23 }, (_, index) => `p${index}`);
  expect(catalogHas(names)).toMatch(/^its catalog has p0, .*, p19 and 3 more\.$/);
});
