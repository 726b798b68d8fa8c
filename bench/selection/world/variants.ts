import { designTokens } from '@paywright/selection-engine';
import { normals, stream, within } from './chance.ts';
import { fields } from './people.ts';

export const horizonDays = 180;

export interface Product {
  readonly id: string;
  readonly plan: 'week' | 'month' | 'year' | 'one-time';
  readonly periodDays: number;
  readonly trialDays: number;
  /** USD where purchasing power is 1. */
  readonly price: number;
  /** Of trials that are paid for, of charges that another follows, of charges that are refunded. */
  readonly converts: number;
  readonly renews: number;
}

export interface Variant {
  readonly paywall: string;
  readonly products: readonly [Product, Product];
  /** Of starts: on its first product. */
  readonly firstShare: number;
  readonly design: readonly string[];
  /** What tastes are about, about -1 to 1: trial, price, length, payment once. */
  readonly traits: readonly number[];
}

const plans = [
  { plan: 'week', label: 'weekly', periodDays: 7, price: [5, 10], renews: [0.8, 0.9] },
  { plan: 'month', label: 'monthly', periodDays: 30, price: [9, 22], renews: [0.7, 0.85] },
  { plan: 'year', label: 'yearly', periodDays: 365, price: [35, 80], renews: [0.4, 0.6] },
  { plan: 'one-time', label: 'lifetime', periodDays: 1, price: [60, 120], renews: [0, 0] },
] as const;
const catalogueSize = 11;

/** About ten products, and variants of two of them each. */
export function makeVariants(seed: string, count: number): readonly Variant[] {
  const u = stream(seed, 'variants');
  const products = Array.from({ length: catalogueSize }, (_, index) => makeProduct(seed, index));
  return Array.from({ length: count }, (_, row) => {
    const first = Math.floor(u(row, 0) * products.length);
    const second = (first + 1 + Math.floor(u(row, 1) * (products.length - 1))) % products.length;
    const pair = [products[first]!, products[second]!] as const;
    return {
      paywall: `p${row}`,
      products: pair,
      firstShare: within(u(row, 2), [0.55, 0.95]),
      design: designTokens(pair.map(({ plan, trialDays }) => ({ period: labelOf(plan), hasTrial: trialDays > 0, offerType: null }))), // prettier-ignore
      traits: traitsOf(pair[0]),
    };
  });
}

const labelOf = (plan: Product['plan']) => plans.find((one) => one.plan === plan)?.label ?? plan;

function makeProduct(seed: string, index: number): Product {
  const u = stream(seed, 'products');
  const { plan, periodDays, price, renews } = plans[index < 8 ? index % 4 : Math.floor(u(index, 0) * 3)]!;
  const hasTrial = plan !== 'one-time' && u(index, 1) < 0.5;
  return {
    id: `product-${index}`,
    plan,
    periodDays,
    trialDays: hasTrial ? 3 + Math.floor(u(index, 2) * 5) : 0,
    price: within(u(index, 3), price),
    converts: hasTrial ? within(u(index, 4), [0.3, 0.55]) : 1,
    renews: within(u(index, 5), renews),
  };
}

const traitsOf = ({ plan, trialDays, price }: Product): readonly number[] => [
  trialDays > 0 ? 1 : -1,
  (Math.log(price) - 3) / 1.2,
  { week: -1, month: 0, year: 1, 'one-time': 0 }[plan],
  plan === 'one-time' ? 1.5 : -0.3,
];

/** What a person brings who starts, by what loyalty does to it. */
export class Payments {
  readonly refunds: number;
  /** Of starts that buy extras, and the lognormal amount. */
  readonly extras = { share: 0.03, median: 8, spread: 1.3 } as const;
  readonly #power: Float64Array;
  readonly #loyalty: readonly Float64Array[];

  constructor(seed: string) {
    const u = stream(seed, 'payments');
    this.refunds = within(u(0), [0.02, 0.06]);
    this.#power = Float64Array.from({ length: 40 }, (_, country) => within(u(country, 1), [0.45, 1.3]));
    const normal = normals(seed, 'loyalty');
    this.#loyalty = fields.map(({ values, loyalty }, field) =>
      Float64Array.from({ length: values }, (_, value) => loyalty * normal(value, field)),
    );
  }

  power(features: Uint8Array): number {
    return this.#power[features[0]!]!;
  }

  loyalty(features: Uint8Array): number {
    let sum = 0;
    for (let field = 0; field < features.length; field++) sum += this.#loyalty[field]![features[field]!]!;
    return sum;
  }

  converts = ({ trialDays, converts }: Product, loyalty: number): number =>
    trialDays > 0 ? tilt(converts, loyalty) : 1;

  renews = ({ renews }: Product, loyalty: number): number => (renews > 0 ? tilt(renews, loyalty / 2) : 0);

  /** Expected USD of a start within the horizon. */
  expected({ products, firstShare }: Variant, power: number, loyalty: number): number {
    const [first, second] = products.map((product) => this.#ofProduct(product, loyalty)) as [number, number];
    const { share, median, spread } = this.extras;
    const extras = share * median * Math.exp((spread * spread) / 2);
    return power * (firstShare * first + (1 - firstShare) * second + extras);
  }

  #ofProduct(product: Product, loyalty: number): number {
    const { price } = product;
    const charges = chargesOf(product);
    const renews = this.renews(product, loyalty);
    const times = renews > 0 ? (1 - renews ** charges) / (1 - renews) : 1;
    return this.converts(product, loyalty) * price * (1 - this.refunds) * times;
  }
}

/** That `Fates` make within the horizon, of whoever renews each time. */
export const chargesOf = ({ plan, trialDays, periodDays }: Product): number =>
  plan === 'one-time' ? 1 : Math.ceil((horizonDays - trialDays) / periodDays);

const tilt = (share: number, by: number) => 1 / (1 + (1 / share - 1) * Math.exp(-by));
