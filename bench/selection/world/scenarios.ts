/** What a world is to be like. All else is drawn by its seed. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly impressions: number;
  /** Of the first day; those that are launched later come on top. */
  readonly variants: number;
  /** By what start tastes differ between variants. */
  readonly taste: 'additive' | 'rules' | 'none';
  /** All variants bring the same on average. */
  readonly equalMeans?: boolean;
  /** A variant joins: with its odds of a start multiplied by a number of this range. */
  readonly launch?: { readonly day: number; readonly odds: readonly [number, number] };
  /** On that day the best variant's odds fall and the worst one's rise. */
  readonly turn?: { readonly day: number; readonly fall: number; readonly rise: number };
  readonly baseline?: 'best';
  /** Slow starts by variant: from few to most of them. */
  readonly delaysDiffer?: boolean;
  /** Records are lost, repeated, and come up to an hour late. */
  readonly brokenLog?: boolean;
  /** Visits that look like one device, and never start. */
  readonly bots?: { readonly day: number; readonly days: number; readonly share: number };
  /** The best variant's products cost that much more from that day on. */
  readonly price?: { readonly day: number; readonly times: number };
  /** How often a person sees a paywall, on average. */
  readonly visits?: number;
}

const usual = { impressions: 100_000, variants: 8, taste: 'additive' } as const;

export const scenarios: readonly Scenario[] = [
  { ...usual, name: 'S1', about: 'base' },
  {
    ...usual,
    name: 'S2',
    about: 'a variant added, then the best drops and the worst rises',
    launch: { day: 15, odds: [1.1, 1.5] },
    turn: { day: 30, fall: 0.5, rise: 1.8 },
  },
  { ...usual, name: 'S3', about: '20 variants', variants: 20, impressions: 200_000 },
  { ...usual, name: 'S4', about: 'start tastes do not differ by variant', taste: 'none' },
  { ...usual, name: 'S5', about: 'taste by rules of two features', taste: 'rules' },
  { ...usual, name: 'S6', about: 'small', impressions: 20_000 },
  { ...usual, name: 'S7', about: 'large', impressions: 400_000 },
  { ...usual, name: 'S8', about: 'as S4, variants of equal mean', taste: 'none', equalMeans: true },
  { ...usual, name: 'S9', about: 'a bad variant launched', launch: { day: 30, odds: [0.2, 0.5] } },
  { ...usual, name: 'S10', about: 'delay depends on the variant', delaysDiffer: true },
  { ...usual, name: 'S11', about: 'records lost, repeated, out of order', brokenLog: true },
  { ...usual, name: 'S12', about: 'Baseline is best', baseline: 'best' },
  { ...usual, name: 'S13', about: 'a burst of bots', bots: { day: 20, days: 2, share: 0.8 } },
  { ...usual, name: 'S14', about: 'a price changes in the store', price: { day: 30, times: 1.5 } },
  { ...usual, name: 'S15', about: 'users see several variants', visits: 3 },
];
