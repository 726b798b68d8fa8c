/** The products of a paywall, in their order, as far as the catalog tells of them. */
export interface DesignedProduct {
  /** The catalog's label of the billing period: `weekly`, `P1M`, `lifetime`. */
  readonly period: string;
  readonly hasTrial: boolean;
  readonly offerType: string | null;
}

const plans: readonly (readonly [plan: string, label: RegExp])[] = [
  ['week', /week|^p(1w|7d)$/i],
  ['year', /year|annual|^p(1y|12m|52w|36[56]d)$/i],
  ['month', /month|quarter|^p(\d+m|[3489]\d?d)$/i],
  ['one-time', /once|life[ -]?time|forever|one[-_ ]?time|consumable/i],
];

/** What kind of plan a billing period's label speaks of. */
export const planOf = (period: string): string => plans.find(([, label]) => label.test(period.trim()))?.[0] ?? 'other';

/**
 * What a variant has in common with others, so that a new one starts from what they taught: plan and trial of its
 * first product, that one's offer, and how many products there are. No prices: the catalog has none.
 */
export function designTokens(products: readonly DesignedProduct[]): readonly string[] {
  const [first] = products;
  const count = products.length > 3 ? '4+' : `${products.length}`;
  if (first === undefined) return ['products:0'];
  return [
    `plan:${planOf(first.period)}`,
    `trial:${first.hasTrial ? 'yes' : 'no'}`,
    `offer:${first.offerType ?? 'none'}`,
    `products:${count}`,
  ];
}
