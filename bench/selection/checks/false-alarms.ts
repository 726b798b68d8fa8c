import { guard } from '@paywright/selection-engine';
import type { Figure } from '../../figure.ts';

const between = 250;

/** Even numbers in [0, 1) from a seed: this check draws hundreds of millions. */
function numbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * When a stream of heavy-tailed payments was first called worse: exposures, Infinity if never.
 * @param effect starts of AI over Baseline's @param usdEffect USD of a start, likewise
 */
function calledWorse(seed: number, length: number, share: number, effect: number, usdEffect = 1): number {
  const next = numbers(seed);
  const side = () => ({ exposures: 0, starts: 0, usd: 0, usdSquares: 0, rateErrorsUsd: {} });
  const [ai, baseline] = [side(), side()];
  for (let index = 1; index <= length; index++) {
    const isAi = next() < share;
    const into = isAi ? ai : baseline;
    into.exposures++;
    if (next() < 0.03 * (isAi ? effect : 1)) {
      // Half pay nothing; the others lognormal, capped as labels are.
      const paid =
        next() < 0.5
          ? 0
          : Math.min(250, Math.exp(3.3 + Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())));
      const usd = paid * (isAi ? usdEffect : 1);
      into.starts++;
      into.usd += usd;
      into.usdSquares += usd * usd;
    }
    if (index % between === 0 && guard([{ share, ai, baseline }]) === 'worse') return index;
  }
  return Infinity;
}

export function alarmFigures(streams = 1_000, length = 150_000): readonly Figure[] {
  const about = { row: 'T16', unit: '', better: 'lower' } as const;
  const calledOf = (count: number, ...stream: [share: number, effect: number, usdEffect?: number]) => {
    let called = 0;
    for (let seed = 1; seed <= count; seed++) if (calledWorse(seed, length, ...stream) < Infinity) called++;
    return called / count;
  };
  const alarms = [0.5, 0.9].map((share) => ({
    ...about,
    what: `false alarms of ${streams} streams, AI at ${share}`,
    value: calledOf(streams, share, 1),
    must: 0.05,
  }));
  // What the alarm by starts costs whoever sells seldom and dear: no target, and nobody should be surprised by it.
  const few = Math.ceil(streams / 5);
  const dear = [0.5, 0.9].map((share) => ({
    ...about,
    what: `alarms of ${few} streams where .7 of the starts bring as much, AI at ${share}`,
    value: calledOf(few, share, 0.7, 1 / 0.7),
  }));
  const found = Array.from({ length: 101 }, (_, seed) => calledWorse(10_000 + seed, length, 0.9, 0.5)).sort(
    (a, b) => a - b,
  );
  return [
    ...alarms,
    ...dear,
    { ...about, what: 'exposures until a loss of half is found, AI at 0.9, median', value: found[50]!, must: 15_000 },
  ];
}
