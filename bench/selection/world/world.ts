import { balance, spreadFor, type Sample } from './balance.ts';
import { worldStart } from './calendar.ts';
import { normals, stream, within } from './chance.ts';
import { makeCrowd } from './crowd.ts';
import { dayMs } from './people.ts';
import type { Scenario } from './scenarios.ts';
import { makeTastes } from './tastes.ts';
import { makeVariants, Payments, type Variant } from './variants.ts';

const samplePeople = 1_200;
/** Every world's own number is drawn of these. */
const ranges = { conversion: [0.018, 0.05], oracle: [1.2, 1.35], uniform: [0.65, 0.8] } as const;
/** By how much of a price's log the log odds of a start fall. */
const priceOdds = 1.5;

/** Everything that is true of a simulated app, its people and what they would do. */
export interface World {
  readonly scenario: Scenario;
  readonly seed: string;
  readonly impressions: number;
  readonly variants: readonly Variant[];
  readonly payments: Payments;
  readonly baseline: number;
  /** When each impression happens, rising. */
  readonly at: Float64Array;
  readonly isBot: Uint8Array;
  /** Whose it is: with several visits, people come again. */
  readonly person: Uint32Array;
  readonly features: (impression: number) => Uint8Array;
  /** Chance of a start, and expected USD an exposure, of every impression and variant. */
  readonly rates: Float64Array;
  readonly usd: Float64Array;
  /** Whether a variant can be shown at a time. */
  readonly launchedAt: Float64Array;
  /** Of starts: slow ones, by variant. */
  readonly slowShare: readonly number[];
  /** Of the price, from when on: of a variant's starts. */
  readonly priceAt: (variant: number, at: number) => number;
}

export function makeWorld(scenario: Scenario, seed: string, size = 1): World {
  const variants = makeVariants(seed, scenario.variants + (scenario.launch ? 1 : 0));
  const impressions = Math.round(scenario.impressions * size);
  const u = stream(seed, 'world');
  const crowd = makeCrowd(scenario, seed, impressions);
  const payments = new Payments(seed);
  const lookAt = lookerOf(scenario, seed, variants, crowd.features, payments);
  const sample = sampleOf(lookAt, impressions, variants.length);
  const targets = targetsOf(scenario, seed, sample, within(u(0), ranges.conversion), within(u(1), ranges.uniform));
  const { scale, intercepts } = balance(sample, targets, within(u(2), ranges.oracle), Math.min(8, scenario.variants));

  const ranked = Array.from({ length: scenario.variants }, (_, row) => row).sort((one, other) => targets[other]! - targets[one]!); // prettier-ignore
  const [best = 0, worst = 0] = [ranked[0], ranked.at(-1)];
  const { shift, launchedAt, dearerAt } = changes(scenario, u(3), variants.length, best, worst);
  const rates = new Float64Array(impressions * variants.length);
  const usd = new Float64Array(rates.length);
  for (let impression = 0; impression < impressions; impression++) {
    const at = crowd.at[impression]!;
    const { mood, tastes, usdOf } = lookAt(impression);
    for (let row = 0; row < variants.length; row++) {
      const dearer = Math.log(dearerAt(row, at));
      const odds = intercepts[row]! + mood + scale * tastes[row]! + shift(row, at) - priceOdds * dearer;
      const rate = crowd.isBot[impression] ? 0 : 1 / (1 + Math.exp(-odds));
      rates[impression * variants.length + row] = rate;
      usd[impression * variants.length + row] = rate * usdOf(row) * Math.exp(dearer);
    }
  }
  const slow = within(u(4), [0.2, 0.33]);
  return {
    ...{ scenario, seed, impressions, variants, payments, ...crowd, rates, usd, launchedAt },
    baseline: scenario.baseline === 'best' ? best : ranked[Math.floor(ranked.length / 2)]!,
    slowShare: variants.map((_, row) => (scenario.delaysDiffer ? 0.05 + (0.7 * row) / variants.length : slow)),
    priceAt: dearerAt,
  };
}

/** What is true of an impression before time and the world's scale. `tastes` is one array, written anew by every look. */
function lookerOf(
  { taste }: Scenario,
  seed: string,
  variants: readonly Variant[],
  featuresOf: World['features'],
  payments: Payments,
) {
  const tasting = makeTastes(seed, taste, variants);
  const tastes = new Float64Array(variants.length);
  return (impression: number) => {
    const features = featuresOf(impression);
    tasting.add(features, tastes.fill(0));
    const [power, loyalty] = [payments.power(features), payments.loyalty(features)];
    const usdOf = (row: number) => payments.expected(variants[row]!, power, loyalty);
    return { mood: tasting.mood(features), tastes, usdOf };
  };
}

function sampleOf(lookAt: ReturnType<typeof lookerOf>, impressions: number, variants: number): Sample {
  const people = samplePeople;
  const [mood, taste, usd] = [people, people * variants, people * variants].map((length) => new Float64Array(length)) as [Float64Array, Float64Array, Float64Array]; // prettier-ignore
  for (let person = 0; person < people; person++) {
    const seen = lookAt(Math.floor((person / people) * impressions));
    mood[person] = seen.mood;
    taste.set(seen.tastes, person * variants);
    for (let row = 0; row < variants; row++) usd[person * variants + row] = seen.usdOf(row);
  }
  return { people, variants, mood, taste, usd };
}

/** USD an exposure by variant: some spread about what the mean conversion makes of them. */
function targetsOf(
  scenario: Scenario,
  seed: string,
  sample: Sample,
  conversion: number,
  share: number,
): readonly number[] {
  const normal = normals(seed, 'quality');
  const deviates = Array.from({ length: sample.variants }, (_, row) => normal(row));
  const spread = scenario.equalMeans ? 0 : spreadFor(deviates.slice(0, 8), share);
  const mean = (conversion * sample.usd.reduce((sum, one) => sum + one, 0)) / sample.usd.length;
  return deviates.map(
    (deviate, row) => mean * (scenario.launch && row === scenario.variants ? 1 : Math.exp(spread * deviate)),
  );
}

/** What time changes: launches, log odds that move, prices (times what they were). */
function changes({ launch, turn, price, variants }: Scenario, u: number, count: number, best: number, worst: number) {
  const launchedAt = new Float64Array(count);
  if (launch) launchedAt[variants] = worldStart + launch.day * dayMs;
  const launched = launch ? Math.log(within(u, launch.odds)) : 0;
  const shift = (row: number, at: number) => {
    const turned = turn && at >= worldStart + turn.day * dayMs;
    const moved = turned && row === best ? Math.log(turn.fall) : turned && row === worst ? Math.log(turn.rise) : 0;
    return moved + (launch && row === variants ? launched : 0);
  };
  const dearerAt = (row: number, at: number) =>
    price && row === best && at >= worldStart + price.day * dayMs ? price.times : 1;
  return { launchedAt, shift, dearerAt };
}

/** How many variants there are at a time: those that are launched later come last. */
export function availableAt({ launchedAt }: World, at: number): number {
  let available = launchedAt.length;
  while (available > 0 && launchedAt[available - 1]! > at) available--;
  return available;
}
