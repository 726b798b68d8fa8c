import { states, type State } from '../model/expectation.ts';

/** How many profiles were in each state on a day. */
export interface DayOfStates {
  readonly day: number;
  readonly counts: Readonly<Partial<Record<State, number>>>;
}

/** One sign and one colour a state, in the order in which they are stacked. */
export const looks: Readonly<Record<State, { readonly sign: string; readonly colour: string }>> = {
  subscribed: { sign: '█', colour: '#1b7f4d' },
  'active-trial': { sign: '▓', colour: '#4fb3bf' },
  'grace-period': { sign: '▒', colour: '#f2b134' },
  'auto-renew-off': { sign: '░', colour: '#9bc995' },
  'billing-issue': { sign: '!', colour: '#e4572e' },
  'trial-cancelled': { sign: '-', colour: '#b9b9c8' },
  'subscription-cancelled': { sign: '=', colour: '#7d7d91' },
  'never-subscribed': { sign: '·', colour: '#e6e6ec' },
};

/** Whole signs that share a height as the counts share their sum: the largest remainders get the rest. */
export function sharesOf(counts: readonly number[], height: number): readonly number[] {
  const total = counts.reduce((all, count) => all + count, 0);
  if (total === 0) return counts.map(() => 0);
  const exact = counts.map((count) => (count * height) / total);
  const whole = exact.map(Math.floor);
  const rest = height - whole.reduce((all, count) => all + count, 0);
  const byRemainder = exact.map((share, index) => ({ index, remainder: share - whole[index]! }));
  const raised = new Set(
    byRemainder
      .toSorted((one, other) => other.remainder - one.remainder)
      .slice(0, rest)
      .map(({ index }) => index),
  );
  return whole.map((share, index) => (raised.has(index) ? share + 1 : share));
}

/** All states over time: a column a moment, from the first day to the last. */
export function stateChart(days: readonly DayOfStates[], width = 100, height = 16): string {
  const chosen = Array.from({ length: Math.min(width, days.length) }, (_, column) => {
    const last = Math.min(width, days.length) - 1;
    return days[last === 0 ? 0 : Math.round((column * (days.length - 1)) / last)]!;
  });
  const stacked = chosen.map(({ counts }) => {
    const shares = sharesOf(
      states.map((state) => counts[state] ?? 0),
      height,
    );
    return states.flatMap((state, index) => Array.from({ length: shares[index]! }, () => looks[state].sign));
  });
  const lines = Array.from({ length: height }, (_, line) =>
    stacked.map((column) => column[height - 1 - line] ?? ' ').join(''),
  );
  const legend = states.map((state) => `${looks[state].sign} ${state}`).join('   ');
  return [...lines.map((line) => `  │${line}`), `  └${'─'.repeat(chosen.length)}`, `   ${legend}`].join('\n');
}

const [plotWidth, plotHeight, legendHeight] = [960, 360, 60];

/** The same as an SVG document: an area a state. */
export function stateSvg(days: readonly DayOfStates[]): string {
  const x = (index: number): string => ((plotWidth * index) / Math.max(1, days.length - 1)).toFixed(1);
  const tops = days.map(({ counts }) => {
    const total = states.reduce((all, state) => all + (counts[state] ?? 0), 0) || 1;
    let below = 0;
    return [0, ...states.map((state) => (below += (counts[state] ?? 0) / total))];
  });
  const y = (share: number): string => (plotHeight * (1 - share)).toFixed(1);
  const areas = states.map((state, level) => {
    const upper = tops.map((column, index) => `${x(index)},${y(column[level + 1]!)}`);
    const lower = tops.map((column, index) => `${x(index)},${y(column[level]!)}`).toReversed();
    return `<polygon fill="${looks[state].colour}" points="${[...upper, ...lower].join(' ')}"/>`;
  });
  const legend = states.map((state, index) => {
    const [left, top] = [(index % 4) * (plotWidth / 4), plotHeight + 14 + Math.floor(index / 4) * 22];
    return `<rect x="${left}" y="${top}" width="14" height="14" fill="${looks[state].colour}"/><text x="${left + 20}" y="${top + 12}">${state}</text>`;
  });
  const size = `width="${plotWidth}" height="${plotHeight + legendHeight}"`;
  const style = 'font-family="sans-serif" font-size="13"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style}>\n${[...areas, ...legend].join('\n')}\n</svg>\n`;
}
