import type { ContextFacts } from '@paywright/selection-engine';
import { stream, type Stream } from './chance.ts';

export const dayMs = 86_400_000;

/** A categorical field of a context, and how much its values sway people (standard deviations of log odds). */
interface Field {
  readonly name: string;
  readonly values: number;
  /** Of Zipf's law: 0 is even. */
  readonly skew: number;
  /** To start at all; to prefer one variant to another; to pay on. Noise has none. */
  readonly mood: number;
  readonly taste: number;
  readonly loyalty: number;
}

/** The last three are noise, as are weekday and hour for tastes. */
export const fields: readonly Field[] = [
  { name: 'country', values: 40, skew: 1, mood: 0.25, taste: 1, loyalty: 0.25 },
  { name: 'locale', values: 40, skew: 0.5, mood: 0.05, taste: 0.2, loyalty: 0 },
  { name: 'device', values: 60, skew: 0.9, mood: 0.2, taste: 0.7, loyalty: 0.15 },
  { name: 'osVersion', values: 5, skew: 0.8, mood: 0.05, taste: 0.1, loyalty: 0 },
  { name: 'appVersion', values: 24, skew: 0, mood: 0.1, taste: 0.2, loyalty: 0 },
  { name: 'attribution', values: 8, skew: 0.8, mood: 0.3, taste: 1, loyalty: 0.3 },
  { name: 'hours', values: 6, skew: 0, mood: 0.05, taste: 0, loyalty: 0 },
  { name: 'weekday', values: 7, skew: 0, mood: 0.08, taste: 0, loyalty: 0 },
  { name: 'goal', values: 6, skew: 0.5, mood: 0.3, taste: 1, loyalty: 0.2 },
  { name: 'level', values: 4, skew: 0.3, mood: 0.2, taste: 0.8, loyalty: 0.2 },
  { name: 'interest', values: 12, skew: 0.6, mood: 0.1, taste: 0.8, loyalty: 0 },
  { name: 'theme', values: 3, skew: 0.5, mood: 0, taste: 0, loyalty: 0 },
  { name: 'font', values: 20, skew: 0.7, mood: 0, taste: 0, loyalty: 0 },
  { name: 'bucket', values: 50, skew: 0, mood: 0, taste: 0, loyalty: 0 },
];
const place = (name: string) => fields.findIndex((field) => field.name === name);
const [country, locale, device, osVersion, appVersion, attribution, hours, weekday, goal, level, interest, theme, font, bucket] = fields.map(({ name }) => place(name)) as [number, number, number, number, number, number, number, number, number, number, number, number, number, number]; // prettier-ignore

/** People by index: when they come and what is known of them. */
export class People {
  readonly #streams: readonly Stream[];
  readonly #cumulative: readonly Float64Array[];
  readonly #follows: Stream;
  readonly #days: number;
  readonly #from: number;

  constructor(seed: string, from: number, days: number) {
    this.#from = from;
    this.#days = days;
    this.#streams = fields.map(({ name }) => stream(seed, `people/${name}`));
    this.#cumulative = fields.map(({ values, skew }) => zipf(values, skew));
    this.#follows = stream(seed, 'people/follows');
  }

  /** The values of a person's fields at a time, into `out`. */
  features(person: number, at: number, out: Uint8Array): void {
    for (let field = 0; field < fields.length; field++) {
      out[field] = pick(this.#cumulative[field]!, this.#streams[field]!(person));
    }
    // Most people's locale is their country's.
    if (this.#follows(person) < 0.85) out[locale] = out[country]!;
    // Versions roll out one after another; people take up to some weeks to follow.
    const rollout = ((at - this.#from) / dayMs / this.#days) * 20 + 4;
    const lag = -Math.log(1 - this.#streams[appVersion]!(person)) * 1.2;
    out[appVersion] = Math.max(0, Math.min(fields[appVersion]!.values - 1, Math.floor(rollout - lag)));
    out[hours] = Math.floor((at % dayMs) / (dayMs / 6));
    out[weekday] = Math.floor(((at + 4 * dayMs) % (7 * dayMs)) / dayMs);
  }
}

/** What an app would tell of such a person. */
export function factsOf(features: Uint8Array, at: number): ContextFacts {
  const isApple = features[device]! % 2 === 0;
  return {
    country: `c${features[country]}`,
    storeCountry: `c${features[country]}`,
    locale: `l${features[locale]}-c${features[locale]}`,
    currency: null,
    device: `${isApple ? 'phone' : 'droid'}${features[device]}`,
    os: isApple ? 'ios' : 'android',
    osVersion: `${10 + features[osVersion]!}.1`,
    platform: isApple ? 'ios' : 'android',
    appVersion: `1.${features[appVersion]}.0`,
    appBuild: null,
    timezone: null,
    attributionSource: `source${features[attribution]}`,
    store: isApple ? 'app_store' : 'play_store',
    profileCreatedAt: at - 2 * dayMs,
    custom: {
      goal: `g${features[goal]}`,
      level: `v${features[level]}`,
      interest: `i${features[interest]}`,
      theme: `t${features[theme]}`,
      font: `f${features[font]}`,
      bucket: `b${features[bucket]}`,
    },
  };
}

function zipf(values: number, skew: number): Float64Array {
  const cumulative = new Float64Array(values);
  let sum = 0;
  for (let value = 0; value < values; value++) cumulative[value] = sum += (value + 1) ** -skew;
  return cumulative.map((one) => one / sum);
}

function pick(cumulative: Float64Array, u: number): number {
  let [low, high] = [0, cumulative.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (u < cumulative[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}
