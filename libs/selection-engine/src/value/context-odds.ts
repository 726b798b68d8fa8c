import type { FieldValues } from '../features/field-values.ts';
import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';

/** How often someone went on, or did not: what became of a start's trial, or of its renewals. */
export interface Chances {
  readonly values: FieldValues;
  /** The share of all that go on, whoever they are: within 0 and 1, both left out. */
  readonly rate: number;
  readonly yes: number;
  readonly no: number;
}

/** Of the log odds that a value of a field adds, before anything is seen. */
const priorVariance = 0.03;
const sweeps = 8;
const longestStep = 1;

/** A field's values by number, whose chances have which (-1: none), and the log odds that each adds. */
interface Field {
  readonly numbers: Map<string, number>;
  readonly places: Int32Array;
  weights: Float64Array;
}

/**
 * Who goes on: by how much a context moves the odds of a rate. A logistic regression whose offset is the rate of all, with a normal
 * prior for each value of a field. Values of one field exclude each other, so a sweep over the fields is a Newton step of each (backfitting).
 * @see Hastie and Tibshirani, Generalized Additive Models, 1990
 */
export class ContextOdds {
  readonly #fields: ReadonlyMap<string, Field>;

  /** @param chances in an order that is a function of their set: sums depend on it */
  constructor(chances: readonly Chances[]) {
    this.#fields = fieldsOf(chances);
    const odds = Float64Array.from(chances, ({ rate }) => logOdds(rate));
    for (let sweep = 0; sweep < sweeps; sweep++) {
      for (const field of this.#fields.values()) step(field, chances, odds);
    }
  }

  /** A rate, as it is for who has these values. */
  of(rate: number, values: FieldValues): number {
    let odds = logOdds(rate);
    for (const [name, { numbers, weights }] of this.#fields) {
      const number = numbers.get(values[name] ?? '');
      if (number !== undefined) odds += weights[number]!;
    }
    return shareOf(odds);
  }
}

/** By name, in its order. */
function fieldsOf(chances: readonly Chances[]): ReadonlyMap<string, Field> {
  const names = new Set(chances.flatMap(({ values }) => Object.keys(values)));
  return new Map(
    [...names].sort().map((name) => {
      const numbers = new Map<string, number>();
      const places = Int32Array.from(chances, ({ values }) => {
        const value = values[name];
        if (value === undefined) return -1;
        const known = numbers.get(value) ?? numbers.size;
        numbers.set(value, known);
        return known;
      });
      return [name, { numbers, places, weights: new Float64Array(numbers.size) }];
    }),
  );
}

function step(field: Field, chances: readonly Chances[], odds: Float64Array): void {
  const { places, weights } = field;
  const slope = weights.map((weight) => -weight / priorVariance);
  const curvature = new Float64Array(weights.length).fill(1 / priorVariance);
  chances.forEach(({ yes, no }, at) => {
    const place = places[at]!;
    if (place < 0) return;
    const count = yes + no;
    const share = shareOf(odds[at]!);
    slope[place]! += yes - count * share;
    curvature[place]! += count * share * (1 - share);
  });
  const steps = slope.map((one, place) => atMost(longestStep, one / curvature[place]!));
  field.weights = weights.map((weight, place) => weight + steps[place]!);
  places.forEach((place, at) => {
    if (place >= 0) odds[at]! += steps[place]!;
  });
}

const logOdds = (share: number) => log(share / (1 - share));
const shareOf = (odds: number) => 1 / (1 + exp(-odds));
const atMost = (bound: number, value: number) => (value > bound ? bound : value < -bound ? -bound : value);
