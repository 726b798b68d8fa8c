import { expect, it } from '@jest/globals';
import { Comparison } from './side-sums.ts';

it('squares what an exposure brought, however many starts that was', () => {
  const comparison = new Comparison();
  const of = { side: 'ai', share: 0.5, since: 0, eachRateError: () => undefined } as const;
  comparison.recountUsd([
    { ...of, exposure: 'a', usd: 3 },
    { ...of, exposure: 'b', usd: 5 },
    { ...of, exposure: 'a', usd: 4 },
  ]);
  expect(comparison.strata()).toMatchObject([{ ai: { usd: 12, usdSquares: 49 + 25 } }]);
});

it('knows of how many exposures the starts are still to come, also from its own state', () => {
  const of = { side: 'ai', share: 0.5, since: 0 } as const;
  const comparison = new Comparison();
  comparison.addExposure(of, 0.75);
  comparison.addExposure(of, 1);
  expect(comparison.strata()).toMatchObject([{ ai: { exposures: 2, pending: 0.25 } }]);
  const restored = new Comparison(comparison.strata());
  const lateOf = () => ({ share: 0.25, error: 0.125, young: 0.5 });
  const young = [
    { ...of, variant: 3, open: 0.5 },
    { ...of, variant: 4, open: 0.25 },
  ];
  restored.recountPending((take) => young.forEach(take), lateOf);
  const pendingErrors = { 'share/3': 0.0625, 'share/4': 0.03125, age: 0.09375 };
  expect(restored.strata()).toMatchObject([{ ai: { exposures: 2, pending: 0.1875, pendingErrors } }]);
  expect(new Comparison(restored.strata()).strata()).toEqual(restored.strata());
  restored.recountPending(() => undefined, lateOf);
  expect(restored.strata()).toMatchObject([{ ai: { exposures: 2, pending: 0, pendingErrors: {} } }]);
});
