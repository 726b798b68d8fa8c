import { describe, expect, it } from '@jest/globals';
import { designTokens, planOf } from './design-tokens.ts';

describe('the tokens of a design', () => {
  it('are those of the first product, and the count', () => {
    const yearly = { period: 'yearly', hasTrial: true, offerType: null };
    const weekly = { period: 'weekly', hasTrial: false, offerType: 'intro' };
    expect(designTokens([yearly, weekly])).toEqual(['plan:year', 'trial:yes', 'offer:none', 'products:2']);
    expect(designTokens([weekly])).toEqual(['plan:week', 'trial:no', 'offer:intro', 'products:1']);
    expect(designTokens([])).toEqual(['products:0']);
  });

  it.each([
    ['weekly', 'week'],
    ['P1W', 'week'],
    ['P7D', 'week'],
    ['Monthly', 'month'],
    ['two_months', 'month'],
    ['P3M', 'month'],
    ['P30D', 'month'],
    ['annual', 'year'],
    ['P1Y', 'year'],
    ['P12M', 'year'],
    ['once', 'one-time'],
    ['lifetime', 'one-time'],
    ['uncategorised', 'other'],
  ])('take %s for %s', (period, plan) => expect(planOf(period)).toBe(plan));
});
