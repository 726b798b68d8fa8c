/** One measured number, with the bounds that it is held to. */
export interface Figure {
  readonly row: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The bound it must keep and the one it aims at: below for times and sizes, above for rates. */
  readonly must?: number;
  readonly aim?: number;
  readonly better: 'lower' | 'higher';
  /** Anything that helps to read it: rates, failures, the generator's share. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export const keeps = (bound: number | undefined, { value, better }: Figure): boolean | null =>
  bound === undefined ? null : better === 'lower' ? value <= bound : value >= bound;

const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const mark = (held: boolean | null): string => (held === null ? '' : held ? ' yes' : ' NO');

/** A table for people: a line a figure, with its bounds and whether they are kept. */
export function table(figures: readonly Figure[]): string {
  const lines = figures.map((figure) => [
    figure.row,
    figure.what,
    `${round(figure.value)} ${figure.unit}`,
    figure.must === undefined ? '' : `${round(figure.must)}${mark(keeps(figure.must, figure))}`,
    figure.aim === undefined ? '' : `${round(figure.aim)}${mark(keeps(figure.aim, figure))}`,
  ]);
  const all = [['row', 'what', 'measured', 'must', 'aim'], ...lines];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((line) => line[column]!.length)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
