import type { Measured, Score } from './measure.ts';

/** Student's t at 97.5 % by degrees of freedom, from 1. */
const students = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13];

/** A mean over worlds, with its standard error and 95 % interval. */
export interface Mean {
  readonly mean: number;
  readonly error: number;
  readonly interval: readonly [low: number, high: number];
  readonly count: number;
}

export function meanOf(numbers: readonly number[]): Mean {
  const count = numbers.length;
  const mean = numbers.reduce((sum, one) => sum + one, 0) / count;
  const squares = numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = count > 1 ? Math.sqrt(squares / (count - 1) / count) : Infinity;
  const reach = (students[count - 2] ?? 1.96) * error;
  return { mean, error, interval: [mean - reach, mean + reach], count };
}

/** One contender in one scenario: over its worlds, and against the engine in the same worlds. */
export interface Line {
  readonly scenario: string;
  readonly name: string;
  readonly ofBest: Mean;
  readonly ofOracle: Mean;
  readonly tail: Mean;
  /** The engine's earnings over this contender's, world by world; and in how many the engine has more. */
  readonly engineOver: Mean;
  readonly engineWins: number;
  readonly scores: readonly Score[];
}

export const engineName = 'paywright';

/** Lines of a scenario. Of a grid of configurations only the one of the best mean is kept. */
export function linesOf(scenario: string, measured: readonly Measured[]): readonly Line[] {
  const worlds = measured.filter((one) => one.scenario === scenario);
  const names = [...new Set(worlds.flatMap(({ scores }) => scores.map(({ name }) => name)))];
  const lines = names.flatMap((name) => {
    const pairs = worlds.flatMap(({ scores }) => {
      const [score, engine] = [scores.find((one) => one.name === name), scores.find((one) => one.name === engineName)];
      return score && engine ? [{ score, ratio: engine.ofBest / score.ofBest }] : [];
    });
    return pairs.length === 0 ? [] : [lineOf(scenario, name, pairs)];
  });
  const grid = lines.filter(({ name }) => name.startsWith('vowpal'));
  const most = Math.max(...grid.map(({ ofBest }) => ofBest.mean));
  return lines.filter((line) => !grid.includes(line) || line.ofBest.mean === most);
}

function lineOf(scenario: string, name: string, pairs: readonly { score: Score; ratio: number }[]): Line {
  const scores = pairs.map(({ score }) => score);
  return {
    scenario,
    name,
    ofBest: meanOf(scores.map(({ ofBest }) => ofBest)),
    ofOracle: meanOf(scores.map(({ ofOracle }) => ofOracle)),
    tail: meanOf(scores.map(({ tail }) => tail)),
    engineOver: meanOf(pairs.map(({ ratio }) => ratio)),
    engineWins: pairs.filter(({ ratio }) => ratio > 1).length,
    scores,
  };
}

const plusMinus = ({ mean, error, count }: Mean) =>
  count > 1 ? `${mean.toFixed(3)} ± ${error.toFixed(3)}` : mean.toFixed(3);

/** A table for people: a line a contender. */
export function summaryTable(lines: readonly Line[]): string {
  const head = ['world', 'contender', 'of best fixed', 'of oracle', 'tail', 'paywright over it', '95 %', 'wins'];
  const rows = lines.map(({ scenario, name, ofBest, ofOracle, tail, engineOver, engineWins }) => {
    const [low, high] = engineOver.interval;
    const isOwn = name === engineName;
    return [
      ...[scenario, name, plusMinus(ofBest), plusMinus(ofOracle), plusMinus(tail)],
      ...(isOwn ? ['', '', ''] : [`${plusMinus(engineOver)}`, engineOver.count > 1 ? `${low.toFixed(2)} to ${high.toFixed(2)}` : '', `${engineWins} of ${engineOver.count}`]),
    ]; // prettier-ignore
  });
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd()).join('\n'); // prettier-ignore
}
