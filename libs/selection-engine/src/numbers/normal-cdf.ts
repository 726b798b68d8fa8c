import { exp } from './exp.ts';

/** Beyond it the function is taken for 0 or 1: off by 4e-11. Further out, rounding would make it fall. */
const reach = 6.5;
const cellsPerUnit = 64;
const cells = 2 * reach * cellsPerUnit;

/** The function and its slope times the cell's width, at the edges of cells: even places and odd ones. */
const table = new Float64Array(2 * (cells + 1));
for (let edge = 0; edge <= cells / 2; edge++) {
  const x = edge / cellsPerUnit;
  const density = exp((-x * x) / 2) * 0.3989422804014327;
  const above = upperHalf(x, density);
  table.set([1 - above, density / cellsPerUnit], cells - 2 * edge);
  table.set([above, density / cellsPerUnit], cells + 2 * edge);
}

/**
 * P(a standard normal <= x), within 1e-9, never falling: cubic interpolation by the exact slopes. 0 below
 * -6.5 and 1 above 6.5.
 */
export function normalCdf(x: number): number {
  if (!(x > -reach)) return x <= -reach ? 0 : NaN;
  if (x >= reach) return 1;
  const position = (x + reach) * cellsPerUnit;
  const cell = position | 0;
  const t = position - cell;
  const low = table[2 * cell] ?? 0;
  const slope = table[2 * cell + 1] ?? 0;
  const rise = (table[2 * cell + 2] ?? 0) - low;
  const bend = (table[2 * cell + 3] ?? 0) + slope - 2 * rise;
  return low + t * (slope + t * (rise - slope - bend + t * bend));
}

/** 1/2 + density(x)·(x + x³/3 + x⁵/15 + …), x >= 0. */
function upperHalf(x: number, density: number): number {
  let term = x;
  let sum = 0;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    sum += term;
    term = (term * x * x) / odd;
  }
  const value = 0.5 + density * sum;
  return value < 1 ? value : 1;
}
