import { exp } from '../numbers/exp.ts';
import type { CrossedCells } from './additive-fit.ts';
import type { Evidence } from './prior-variance.ts';

/** Of fewer starts, expected and free, nothing can be said. */
const leastChance = 0.001;
const rounds = 8;

/**
 * What cells of variants and values say of how much tastes differ: their starts, against what would be expected if every
 * variant were liked alike by all values. For that the crossing is taken out of what is expected, and rows and columns are
 * scaled to their sums (iterative proportional fitting): else what a crossing has taken over from the rows and columns, with
 * which it can trade places, would pass for taste, and its prior variance would run away.
 * @param cells of starts: seen, and expected
 * @see Deming and Stephan, Annals of Mathematical Statistics 11 (1940)
 */
export function evidenceOfTastes({ rows, size, fixed: observed, moving, crossed }: CrossedCells): Evidence {
  const expected = moving.map((due, cell) => due * exp(-crossed[cell]!));
  for (let round = 0; round < rounds; round++) {
    for (let row = 0; row < rows; row++) scale(observed, expected, row * size + 1, (row + 1) * size, 1);
    for (let place = 1; place < size; place++) scale(observed, expected, place, rows * size, size);
  }
  const evidence: Evidence = { scores: [], expected: [], free: [] };
  const ofPlaces = Array.from({ length: size }, (_, place) => sumOf(expected, place, rows * size, size));
  for (let row = 0; row < rows; row++) {
    const ofRow = sumOf(expected, row * size + 1, (row + 1) * size, 1);
    for (let place = 1; place < size; place++) {
      const due = expected[row * size + place]!;
      const free = due > 0 ? (1 - due / ofRow) * (1 - due / ofPlaces[place]!) : 0;
      if (!(due * free > leastChance)) continue;
      evidence.scores.push(observed[row * size + place]! - due);
      evidence.expected.push(due);
      evidence.free.push(free);
    }
  }
  return evidence;
}

/** Makes a row or column expect what was observed of it. */
function scale(observed: Float64Array, expected: Float64Array, from: number, to: number, step: number): void {
  const due = sumOf(expected, from, to, step);
  if (!(due > 0)) return;
  const times = sumOf(observed, from, to, step) / due;
  for (let cell = from; cell < to; cell += step) expected[cell]! *= times;
}

function sumOf(numbers: Float64Array, from: number, to: number, step: number): number {
  let sum = 0;
  for (let at = from; at < to; at += step) sum += numbers[at]!;
  return sum;
}
