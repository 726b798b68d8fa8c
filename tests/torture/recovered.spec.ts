import { describe, expect, it } from '@jest/globals';
import type { Attempt } from './probe.ts';
import { recoveredAt } from './recovered.ts';

const success = (askedAt: number, endedAt = askedAt + 10): Attempt => ({
  ...{ askedAt, endedAt, succeeded: true, hung: false },
});
const failure = (askedAt: number, endedAt = askedAt + 10): Attempt => ({
  ...{ askedAt, endedAt, succeeded: false, hung: false },
});

describe('recoveredAt', () => {
  it.each([
    ['nothing, if no request failed', [success(0), success(200)], null],
    ['the first success after a failure', [success(0), failure(200), success(400), success(600)], 410],
    ['not one between two failures', [failure(0), success(200), failure(400), success(600)], 610],
    ['a success by its answer, a failure by its question', [failure(0, 2_000), success(200, 900)], 900],
    ['not one that was asked for before the failure', [failure(200), success(0, 500), success(400, 700)], 700],
    ['whatever comes first, in any order', [success(600), success(400), failure(200)], 410],
    ['no end, if nothing succeeded any more', [success(0), failure(200)], Infinity],
    ['nothing of what was asked before or after', [failure(-1), success(100), failure(1_000)], null],
  ])('tells %s', (_, attempts, expected) => {
    expect(recoveredAt(attempts, 0, 1_000)).toBe(expected);
  });
});
