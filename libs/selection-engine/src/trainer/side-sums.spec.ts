import { expect, it } from '@jest/globals';
import { Comparison } from './side-sums.ts';

it('squares what an exposure brought, however many starts that was', () => {
  const comparison = new Comparison();
  const of = { side: 'ai', share: 0.5, since: 0, rateErrors: [] } as const;
  comparison.recountUsd([
    { ...of, exposure: 'a', usd: 3 },
    { ...of, exposure: 'b', usd: 5 },
    { ...of, exposure: 'a', usd: 4 },
  ]);
  expect(comparison.strata()).toMatchObject([{ ai: { usd: 12, usdSquares: 49 + 25 } }]);
});
