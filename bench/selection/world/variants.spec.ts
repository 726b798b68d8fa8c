import { expect, it } from '@jest/globals';
import { chargesWithin } from '@paywright/selection-engine';
import { chargesOf, horizonDays, makeVariants } from './variants.ts';

it('charges as often as the engine expects', () => {
  const products = Array.from({ length: 20 }, (_, seed) => makeVariants(`${seed}`, 20)).flatMap((variants) =>
    variants.flatMap((variant) => variant.products),
  );
  for (const product of products) expect(chargesOf(product)).toBe(chargesWithin(product, horizonDays));
  expect(new Set(products.map(({ plan }) => plan)).size).toBe(4);
});
