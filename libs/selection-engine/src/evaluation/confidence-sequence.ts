import { log } from '../numbers/log.ts';
import type { SideSums, Stratum } from '../trainer/side-sums.ts';

/** Exposures at which the sequence is made to be tightest. */
const tightestAt = 20_000;
/** Below that many starts on a side, sums are too skewed to be taken for normal. */
const leastStarts = 40;

/** AI minus Baseline per exposure: the truth is within `halfWidth` at all looks together, but for a share of alpha. */
export interface Difference {
  readonly difference: number;
  readonly halfWidth: number;
}

export type Statistic = 'starts' | 'usd';

/**
 * Compares AI and Baseline, as often as one likes: an asymptotic confidence sequence of their difference with pooled
 * variances. USD can be the same on average and spread otherwise, where few pay much and many little: there the
 * variances apart count where they are greater. Strata are weighed by their exposures. These count as far as their starts
 * should have come by now: a side whose starts come later would seem to have fewer. USD are projected, so what the
 * rates of the projection may be off by is part of their variance: by the delta method, each rate apart, as far as it
 * moves the two sides apart. A rate of one side's own starts moves that side alone.
 * @param alpha of one-sided statements, in (0, 1/2)
 * @returns null until both sides have 40 starts
 * @see Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, 2021
 */
export function compareSides(strata: readonly Stratum[], statistic: Statistic, alpha: number): Difference | null {
  if (!(alpha > 0 && alpha < 0.5)) throw new RangeError('alpha is between 0 and 1/2.');
  const found = measure(strata, statistic);
  if (found === null) return null;
  const { difference, exposures, deviation } = found;
  return { difference, halfWidth: halfWidth(exposures, deviation, alpha) };
}

/** `worse` if AI earns less than Baseline for sure, `better` if more, else `open`. */
export function verdictOf(difference: Difference | null): 'worse' | 'better' | 'open' {
  if (difference === null) return 'open';
  if (difference.difference + difference.halfWidth < 0) return 'worse';
  return difference.difference - difference.halfWidth > 0 ? 'better' : 'open';
}

/** What the guard's two statistics may err, together 5 %. */
export const guardAlphas = { starts: 0.01, usd: 0.04 } as const;

/**
 * Of what USD may be off: less by that much, they agree with fewer starts. More would find a loss of half too late
 * (T16: by 15,000 exposures), less would call more of those worse who sell seldom and dear (bench/selection has both).
 */
const worryingShare = 0.4;

/**
 * Whether AI is worse than Baseline, or better, for sure: by USD, an exposure. Starts, of which more is known, raise
 * the alarm sooner, and no more than that. Fewer of them are no loss where they bring as much: a year sold to few may
 * earn more than a trial taken by many. They are one where USD look like it too, by `worryingShare`. To be asked every
 * 250 exposures or less often.
 */
export function guard(strata: readonly Stratum[]): 'worse' | 'better' | 'open' {
  const [starts, usd] = (['starts', 'usd'] as const).map((statistic) =>
    compareSides(strata, statistic, guardAlphas[statistic]),
  );
  if (!starts || !usd) return 'open';
  const byUsd = verdictOf(usd);
  if (byUsd !== 'open') return byUsd;
  return verdictOf(starts) === 'worse' && usd.difference < -worryingShare * usd.halfWidth ? 'worse' : 'open';
}

/** A difference that is there, and how long it takes to find it. */
export interface Outlook {
  /** AI minus Baseline per exposure, or Baseline minus AI. */
  readonly usd: number;
  /** Exposures of both sides that are to be compared beside those of now; 0 if so many would have shown it. */
  readonly exposures: number;
}

/** Four times in five, by the normal distribution. */
const oftenDeviate = 0.8416;

/**
 * How many exposures more the guard needs to find a difference by USD in at least four of five such comparisons, whichever side
 * earns more. They are taken to go on as these: with these shares and payments, and with rates that become known as they
 * have so far.
 * @param share of what Baseline brings, greater than 0
 * @returns null until both sides have 40 starts, and while Baseline brings nothing
 */
export function outlookOf(strata: readonly Stratum[], share: number): Outlook | null {
  const found = measure(strata, 'usd');
  if (found === null || !(found.baseline > 0)) return null;
  const { exposures, deviation } = found;
  const usd = share * found.baseline;
  const shows = (t: number) =>
    halfWidth(t, deviation, guardAlphas.usd) + (oftenDeviate * deviation) / Math.sqrt(t) <= usd;
  let [tooFew, enough] = [exposures, exposures];
  while (!shows(enough)) [tooFew, enough] = [enough, 2 * enough];
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) / 2;
    if (shows(middle)) enough = middle;
    else tooFew = middle;
  }
  return { usd, exposures: Math.ceil(enough - exposures) };
}

interface Measured {
  readonly exposures: number;
  /** AI minus Baseline per exposure. */
  readonly difference: number;
  /** What Baseline brings per exposure. */
  readonly baseline: number;
  /** The standard error of the difference, times the root of the exposures. */
  readonly deviation: number;
}

/** @returns null until both sides have 40 starts */
function measure(strata: readonly Stratum[], statistic: Statistic): Measured | null {
  const compared = strata.filter(({ ai, baseline }) => sizeOf(ai) > 0 && sizeOf(baseline) > 0);
  const startsOf = (side: 'ai' | 'baseline') => compared.reduce((sum, stratum) => sum + stratum[side].starts, 0);
  if (startsOf('ai') < leastStarts || startsOf('baseline') < leastStarts) return null;
  let exposures = 0;
  for (const { ai, baseline } of compared) exposures += sizeOf(ai) + sizeOf(baseline);
  let [difference, ofBaselines, variance] = [0, 0, 0];
  for (const { ai, baseline } of compared) {
    const [ofAi, ofBaseline] = [sizeOf(ai), sizeOf(baseline)];
    const size = ofAi + ofBaseline;
    const weight = size / exposures;
    const [one, other] = [momentsOf(ai, statistic), momentsOf(baseline, statistic)];
    const pooled = spreadOf(one.sum + other.sum, one.squares + other.squares, size);
    const together = pooled * (1 / ofAi + 1 / ofBaseline);
    const apart =
      spreadOf(one.sum, one.squares, ofAi) / ofAi + spreadOf(other.sum, other.squares, ofBaseline) / ofBaseline;
    difference += weight * (one.sum / ofAi - other.sum / ofBaseline);
    ofBaselines += weight * (other.sum / ofBaseline);
    variance += weight * weight * (statistic === 'usd' && apart > together ? apart : together);
  }
  variance += varianceOfRates(compared, exposures, statistic);
  return { exposures, difference, baseline: ofBaselines, deviation: Math.sqrt(variance * exposures) };
}

/** Exposures, as far as their starts should have come. */
const sizeOf = ({ exposures, pending = 0 }: SideSums) => exposures - pending;

/** The variance of what one exposure brings. */
const spreadOf = (sum: number, squares: number, exposures: number) => squares / exposures - (sum / exposures) ** 2;

function momentsOf(side: SideSums, statistic: Statistic): { readonly sum: number; readonly squares: number } {
  // A start is 0 or 1, and its own square.
  return statistic === 'starts'
    ? { sum: side.starts, squares: side.starts }
    : { sum: side.usd, squares: side.usdSquares };
}

/** Of the difference, were there exposures without end: what is left is that nobody knows the rates for sure. */
function varianceOfRates(compared: readonly Stratum[], exposures: number, statistic: Statistic): number {
  const apart = new Map<string, number>();
  for (const { ai, baseline } of compared) {
    const weight = (sizeOf(ai) + sizeOf(baseline)) / exposures;
    for (const [side, sign] of [
      [ai, 1],
      [baseline, -1],
    ] as const) {
      for (const [rate, error] of errorsOf(side, statistic)) {
        apart.set(rate, (apart.get(rate) ?? 0) + sign * weight * error);
      }
    }
  }
  return [...apart.values()].reduce((sum, error) => sum + error * error, 0);
}

/** What a side's mean would be more by, by what is not known for sure: of its projection, and of how late starts come. */
function* errorsOf(side: SideSums, statistic: Statistic): Generator<readonly [rate: string, error: number]> {
  const size = sizeOf(side);
  const mean = momentsOf(side, statistic).sum / size;
  for (const [late, pending] of Object.entries(side.pendingErrors ?? {}))
    yield [`late/${late}`, (mean * pending) / size];
  if (statistic === 'usd') for (const [rate, usd] of Object.entries(side.rateErrorsUsd)) yield [rate, usd / size];
}

function halfWidth(t: number, deviation: number, alpha: number): number {
  const rare = -2 * log(alpha);
  const rhoSquared = (rare + log(rare + 1)) / tightestAt;
  const spent = t * rhoSquared + 1;
  return deviation * Math.sqrt(((2 * spent) / (t * t * rhoSquared)) * log(Math.sqrt(spent) / alpha));
}
