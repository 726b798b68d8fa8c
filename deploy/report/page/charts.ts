import { html, type Html } from './html.ts';

/** Drawn in the width of a phone, in its pixels; wider pages enlarge it. */
const width = 360;
const rowHeight = 44;
const left = 4;
const right = width - 4;

export type Tone = 'ai' | 'baseline' | 'plain';

export interface IntervalRow {
  readonly label: string;
  readonly tone: Tone;
  /** Null: there is no number. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** The number as it is written; else why there is none. */
  readonly text: string;
}

/** A point with its interval for each row, all on one scale that has 0 in it. */
export function intervalChart(title: string, rows: readonly IntervalRow[]): Html {
  const numbers = rows.flatMap(({ value, low, high }) => [value ?? 0, low ?? 0, high ?? 0]);
  const scale = scaleOf(Math.min(0, ...numbers), Math.max(0, ...numbers));
  return chart(title, rows.length * rowHeight + 8, [
    line(scale(0), 0, scale(0), rows.length * rowHeight, 'axis'),
    ...rows.map((row, index) => intervalRow(row, index * rowHeight, scale)),
  ]);
}

function intervalRow({ label, tone, value, low, high, text }: IntervalRow, top: number, scale: Scale): Html {
  const middle = top + 32;
  const drawn = [
    ...(low === null || high === null ? [] : [line(scale(low), middle, scale(high), middle, `range ${tone}`)]),
    ...(value === null ? [] : [html`<circle class="${tone}" cx="${at(scale(value))}" cy="${middle}" r="5" />`]),
  ];
  return html`${labels(label, text, top)}${drawn}`;
}

export interface BarRow {
  readonly label: string;
  readonly tone: Tone;
  /** 0 or more. */
  readonly value: number;
  readonly text: string;
}

/** A bar for each row, the longest over the whole width; of 0 there is none. */
export function barChart(title: string, rows: readonly BarRow[]): Html {
  const greatest = Math.max(...rows.map(({ value }) => value));
  return chart(
    title,
    rows.length * rowHeight + 8,
    rows.map(({ label, tone, value, text }, index) => {
      const length = Math.max(1, (value / greatest) * (right - left));
      const bar = html`<rect
        class="${tone}"
        x="${left}"
        y="${index * rowHeight + 22}"
        width="${at(length)}"
        height="14"
        rx="2"
      />`;
      return html`${labels(label, text, index * rowHeight)}${value > 0 ? bar : ''}`;
    }),
  );
}

export interface Step {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** From then on; 0 to 1. */
  readonly share: number;
}

/** A share over time, from the first step to `end`. */
export function stepChart(title: string, steps: readonly Step[], end: number): Html {
  const start = steps[0]?.time ?? end;
  const x = (time: number) => left + ((time - start) / Math.max(1, end - start)) * (right - left);
  const y = (share: number) => 100 - 80 * share;
  const corners = steps.map(({ time, share }, index) => {
    const until = steps[index + 1]?.time ?? end;
    return `${at(x(time))},${at(y(share))} ${at(x(until))},${at(y(share))}`;
  });
  return chart(title, 126, [
    ...[0, 0.5, 1].map((share) => line(left, y(share), right, y(share), 'axis')),
    ...[0, 0.5, 1].map(
      (share) => html`<text class="number" x="${right}" y="${y(share) - 4}" text-anchor="end">${share * 100} %</text>`,
    ),
    html`<polyline class="step" points="${corners.join(' ')}" />`,
    html`<text class="number" x="${left}" y="120">${day(start)}</text>`,
    html`<text class="number" x="${right}" y="120" text-anchor="end">${day(end)}</text>`,
  ]);
}

export interface Line {
  readonly tone: Tone;
  /** In order of time, in milliseconds since the epoch; 0 or more, or null where there is no number. */
  readonly points: readonly { readonly time: number; readonly value: number | null }[];
}

/** Numbers over the same days, one line each, from 0 up; broken where there is no number. */
export function lineChart(title: string, lines: readonly Line[], write: (value: number) => string): Html {
  const times = lines.flatMap(({ points }) => points.map(({ time }) => time));
  const [start, end] = [Math.min(...times), Math.max(...times)];
  const greatest = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value ?? 0))) || 1;
  const x = (time: number) => left + 4 + ((time - start) / Math.max(1, end - start)) * (right - left - 8);
  const y = (value: number) => 140 - 120 * (Math.max(0, value) / greatest);
  return chart(title, 166, [
    ...[0, 1].map((share) => line(left, y(share * greatest), right, y(share * greatest), 'axis')),
    html`<text class="number" x="${right}" y="${y(greatest) - 4}" text-anchor="end">${write(greatest)}</text>`,
    ...lines.flatMap(({ tone, points }) => unbroken(points).map((part) => drawnLine(tone, part, x, y))),
    html`<text class="number" x="${left}" y="160">${day(start)}</text>`,
    html`<text class="number" x="${right}" y="160" text-anchor="end">${day(end)}</text>`,
  ]);
}

export interface BandPoint {
  /** Milliseconds since the epoch, in order. */
  readonly time: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A number over time with its interval, on a scale that has 0 in it, which is a line. Two points at least. */
export function bandChart(title: string, points: readonly BandPoint[], write: (value: number) => string): Html {
  const [start, end] = [points[0]!.time, points.at(-1)!.time];
  const [lowest, highest] = [Math.min(0, ...points.map(({ low }) => low)), Math.max(0, ...points.map(({ high }) => high))]; // prettier-ignore
  const x = (time: number) => left + 4 + ((time - start) / Math.max(1, end - start)) * (right - left - 8);
  const y = (value: number) => 180 - 160 * ((value - lowest) / (highest - lowest || 1));
  const cornersOf = (value: (point: BandPoint) => number) =>
    points.map((point) => `${at(x(point.time))},${at(y(value(point)))}`);
  const band = [...cornersOf(({ high }) => high), ...cornersOf(({ low }) => low).reverse()];
  return chart(title, 216, [
    html`<polygon class="band" points="${band.join(' ')}" />`,
    line(left, y(0), right, y(0), 'zero'),
    html`<polyline class="ai" points="${cornersOf(({ value }) => value).join(' ')}" />`,
    html`<text class="number" x="${right}" y="${at(y(highest) - 4)}" text-anchor="end">${write(highest)}</text>`,
    ...(lowest < 0
      ? [html`<text class="number" x="${right}" y="${at(y(lowest) + 14)}" text-anchor="end">${write(lowest)}</text>`]
      : []),
    html`<text class="number" x="${left}" y="${at(y(0) - 4)}">0</text>`,
    html`<text class="number" x="${left}" y="210">${day(start)}</text>`,
    html`<text class="number" x="${right}" y="210" text-anchor="end">${day(end)}</text>`,
  ]);
}

interface Known {
  readonly time: number;
  readonly value: number;
}

/** The parts without a gap. */
function unbroken(points: Line['points']): readonly (readonly Known[])[] {
  const parts: Known[][] = [[]];
  for (const { time, value } of points) {
    if (value === null) parts.push([]);
    else parts.at(-1)!.push({ time, value });
  }
  return parts.filter((part) => part.length > 0);
}

/** A day between two gaps is a point. */
function drawnLine(tone: Tone, part: readonly Known[], x: Scale, y: Scale): Html {
  const [first] = part;
  if (part.length === 1 && first)
    return html`<circle class="${tone}" cx="${at(x(first.time))}" cy="${at(y(first.value))}" r="3" />`;
  const corners = part.map(({ time, value }) => `${at(x(time))},${at(y(value))}`);
  return html`<polyline class="${tone}" points="${corners.join(' ')}" />`;
}

export interface AgreementPoint {
  /** 0 or more, both. */
  readonly expected: number;
  readonly seen: number;
}

/** What was expected across and what was seen upward, on one scale: on the diagonal they agree. */
export function agreementChart(
  title: string,
  points: readonly AgreementPoint[],
  write: (value: number) => string,
): Html {
  const side = 220;
  const greatest = Math.max(...points.flatMap(({ expected, seen }) => [expected, seen])) || 1;
  const x = (value: number) => left + (value / greatest) * side;
  const y = (value: number) => side + 20 - (value / greatest) * side;
  return chart(title, side + 44, [
    line(x(0), y(0), x(greatest), y(0), 'axis'),
    line(x(0), y(0), x(0), y(greatest), 'axis'),
    line(x(0), y(0), x(greatest), y(greatest), 'axis'),
    ...points.map(({ expected, seen }) => html`<circle class="ai" cx="${at(x(expected))}" cy="${at(y(seen))}" r="5" />`), // prettier-ignore
    html`<text class="number" x="${at(x(0))}" y="${side + 38}">$0</text>`,
    html`<text class="number" x="${at(x(greatest))}" y="${side + 38}" text-anchor="end">${write(greatest)} promised</text>`, // prettier-ignore
    html`<text class="number" x="${at(x(0))}" y="12">${write(greatest)} brought</text>`,
  ]);
}

/** Such as 2026-01-31, of milliseconds since the epoch. */
const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Such as 2026-01-31 09:30, in UTC, of a time of ISO 8601. */
export const minute = (time: string): string => time.slice(0, 16).replace('T', ' ');

type Scale = (value: number) => number;

const scaleOf = (low: number, high: number): Scale => {
  const margin = 8;
  const span = high - low || 1;
  return (value) => left + margin + ((value - low) / span) * (right - left - 2 * margin);
};

const at = (place: number): string => place.toFixed(1);

const line = (x1: number, y1: number, x2: number, y2: number, kind: string): Html =>
  html`<line class="${kind}" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" />`;

const labels = (label: string, text: string, top: number): Html =>
  html`<text x="${left}" y="${top + 14}"><title>${label}</title>${shortened(label, textWidth - widthOf(text) - 2)}</text
    ><text class="number" x="${right}" y="${top + 14}" text-anchor="end">${text}</text>`;

/** How many letters stand beside each other in a chart. */
const textWidth = 50;

/** From Hangul and Chinese on, letters are about twice as wide. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter.codePointAt(0)! < 0x1100 ? 1 : 2), 0);

/** A text in a picture neither breaks nor makes room: one that is too long would lie across the number. */
function shortened(label: string, room: number): string {
  if (widthOf(label) <= room) return label;
  let short = '';
  for (const { segment } of new Intl.Segmenter('en').segment(label)) {
    if (widthOf(short + segment) > room - 1) break;
    short += segment;
  }
  return `${short}…`;
}

const chart = (title: string, height: number, parts: readonly Html[]): Html =>
  html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${parts}</svg>`;
