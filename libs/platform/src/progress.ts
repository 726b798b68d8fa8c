/** How far long work was at a moment: `at` in milliseconds of any clock, the others in what is counted. */
export interface ProgressSample {
  readonly at: number;
  readonly done: number;
  readonly total: number;
}

/** How many a second of what `countOf` tells, from the first sample to the last; 0 of one alone. */
export function rateOf(
  samples: readonly ProgressSample[],
  countOf: (sample: ProgressSample) => number = ({ done }) => done,
): number {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const seconds = (last.at - first.at) / 1_000;
  return seconds > 0 ? (countOf(last) - countOf(first)) / seconds : 0;
}

/** `20 %`; 100 only of all, and of nothing. */
export const describeShare = ({ done, total }: ProgressSample): string =>
  `${total === 0 ? 100 : Math.floor((100 * done) / total)} %`;

/** `200,000 of 1,000,000 events`. @param counted in plural */
export const describeCounts = ({ done, total }: ProgressSample, counted: string): string =>
  `${describeCount(done)} of ${describeCount(total)} ${counted}`;

/** `20,000/s`. */
export const describeRate = (perSecond: number): string => `${describeCount(Math.round(perSecond))}/s`;

/** `40 s`, `17 min`, `2 h 47 min`. */
export function describeDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `1,000,000`. */
export const describeCount = (count: number): string => count.toLocaleString('en-US');
