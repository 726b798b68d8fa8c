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

const [plotWidth, plotHeight] = [900, 360];
const margin = { left: 60, top: 40, bottom: 100 };

/** The same as an SVG document: an area a state, the share of profiles against the day. */
export function stateSvg(days: readonly DayOfStates[]): string {
  const x = (index: number): string => (margin.left + (plotWidth * index) / Math.max(1, days.length - 1)).toFixed(1);
  const y = (share: number): string => (margin.top + plotHeight * (1 - share)).toFixed(1);
  const tops = days.map(({ counts }) => {
    const total = states.reduce((all, state) => all + (counts[state] ?? 0), 0) || 1;
    let below = 0;
    return [0, ...states.map((state) => (below += (counts[state] ?? 0) / total))];
  });
  const areas = states.map((state, level) => {
    const upper = tops.map((column, index) => `${x(index)},${y(column[level + 1]!)}`);
    const lower = tops.map((column, index) => `${x(index)},${y(column[level]!)}`).toReversed();
    return `<polygon fill="${looks[state].colour}" points="${[...upper, ...lower].join(' ')}"/>`;
  });
  const size = `width="${plotWidth + 2 * margin.left}" height="${margin.top + plotHeight + margin.bottom}"`;
  const style = 'font-family="sans-serif" font-size="13" style="background: white"';
  const parts = [title, ...areas, ...shareAxis(y), ...dayAxis(days, x), ...legend()];
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style}>\n${parts.join('\n')}\n</svg>\n`;
}

const title = `<text x="${margin.left}" y="24" font-size="16">States of all profiles, by day</text>`;

const shareAxis = (y: (share: number) => string): readonly string[] =>
  [0, 0.25, 0.5, 0.75, 1].map(
    (share) => `<text x="${margin.left - 8}" y="${y(share)}" dy="4" text-anchor="end">${share * 100} %</text>`,
  );

/** A label a quarter of the time. */
function dayAxis(days: readonly DayOfStates[], x: (index: number) => string): readonly string[] {
  const indexes = new Set([0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * (days.length - 1))));
  const top = margin.top + plotHeight + 18;
  return [...indexes].flatMap((index) => {
    const shown = days[index];
    return shown ? [`<text x="${x(index)}" y="${top}" text-anchor="middle">day ${shown.day}</text>`] : [];
  });
}

const legend = (): readonly string[] =>
  states.map((state, index) => {
    const left = margin.left + (index % 4) * (plotWidth / 4);
    const top = margin.top + plotHeight + 40 + Math.floor(index / 4) * 22;
    return `<rect x="${left}" y="${top}" width="14" height="14" fill="${looks[state].colour}"/><text x="${left + 20}" y="${top + 12}">${state}</text>`;
  });
