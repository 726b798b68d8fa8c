import { expect, it } from '@jest/globals';
import { Comparison } from './side-sums.ts';

it('squares what an exposure brought, however many starts that was', () => {
  const comparison = new Comparison();
  const of = { side: 'ai', share: 0.5, since: 0, rateErrors: { rates: [], usd: [] } } as const;
  const payouts = [
    { ...of, exposure: 0, usd: 3 },
    { ...of, exposure: 1, usd: 5 },
    { ...of, exposure: 0, usd: 4 },
  ];
  comparison.recountUsd(payouts, payouts.length, []);
  expect(comparison.strata()).toMatchObject([{ ai: { usd: 12, usdSquares: 49 + 25 } }]);
});

it('adds up by name what each rate may move, side by side', () => {
  const comparison = new Comparison();
  const of = { share: 0.5, since: 0, usd: 1 };
  const payouts = [
    { ...of, side: 'ai', exposure: 0, rateErrors: { rates: [2, 0], usd: [3, 0] } },
    { ...of, side: 'baseline', exposure: 1, rateErrors: { rates: [2, 1], usd: [5, -1] } },
    { ...of, side: 'ai', exposure: 2, rateErrors: { rates: [2, 0], usd: [4, 2] } },
  ] as const;
  const rates = ['refund', 'trial', 'renewal'];
  comparison.recountUsd(payouts, payouts.length, rates);
  const [{ ai, baseline } = { ai: null, baseline: null }] = comparison.strata();
  expect(ai?.rateErrorsUsd).toEqual({ renewal: 7, refund: 2 });
  expect(baseline?.rateErrorsUsd).toEqual({ renewal: 5 });
  comparison.recountUsd(payouts.slice(0, 1), 1, rates);
  expect(comparison.strata()).toMatchObject([{ ai: { usd: 1, rateErrorsUsd: { renewal: 3 } } }]);
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
