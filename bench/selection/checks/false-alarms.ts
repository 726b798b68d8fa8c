import { guard } from '@paywright/selection-engine';
import type { Figure } from '../../figure.ts';
import { numbers } from './numbers.ts';
import { isAlarmed } from './trial-alarms.ts';

const between = 250;

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

export function alarmFigures(streams = 1_000, length = 150_000, apps = 30): readonly Figure[] {
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
  // The same where starts are trials: until they are over, fewer of them look like less USD by themselves.
  const tried = [0.5, 0.9].flatMap((share) =>
    [0.4 / 0.7, 0.65].map((trialToPaid) => {
      const ai = { starts: 0.042, trialToPaid };
      const isWrong = (seed: number) => isAlarmed(seed, share, ai, { starts: 0.06, trialToPaid: 0.4 });
      return {
        ...about,
        what: `alarms of ${apps} apps where .7 of the trials bring ${((0.7 * trialToPaid) / 0.4).toFixed(2)} times as much, AI at ${share}`,
        value: Array.from({ length: apps }, (_, seed) => seed + 1).filter(isWrong).length / apps,
      };
    }),
  );
  const found = Array.from({ length: 101 }, (_, seed) => calledWorse(10_000 + seed, length, 0.9, 0.5)).sort(
    (a, b) => a - b,
  );
  return [
    ...alarms,
    ...dear,
    ...tried,
    { ...about, what: 'exposures until a loss of half is found, AI at 0.9, median', value: found[50]!, must: 15_000 },
  ];
}
