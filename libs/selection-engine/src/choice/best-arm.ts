import { normalCdf } from '../numbers/normal-cdf.ts';
import { exploit } from './explore.ts';

const leastCells = 48;
const mostCells = 192;
const cellsPerDeviation = 5;
const reach = 4;

/** Arrays of a call, kept for the next. */
let room = 0;
let deviations = new Float64Array(0);
let below = new Float64Array(0);
let rises = new Float64Array(0);
let middles = new Float64Array(0);
let productsAfter = new Float64Array(0);

/**
 * The probabilities that each of independent normals is the greatest, by one grid for all: in every cell, the
 * chance that a falls in it times the chances that the others are below its middle. Within .02 where one
 * deviation is 50 times the others', within .001 at 10 times; time and error do not depend on how close they are.
 * @param means finite, one or more
 * @param variances > 0 and finite
 * @param out as long; is given the probabilities, which add up to 1
 * @throws RangeError if there is no normal, or a number is not as said
 */
export function bestArm(means: ArrayLike<number>, variances: ArrayLike<number>, out: Float64Array): void {
  const arms = means.length;
  if (arms > room) makeRoom(2 * arms);
  const { low, high, cells } = gridOf(means, variances);
  out.fill(0);
  for (let arm = 0; arm < arms; arm++) below[arm] = normalCdf((low - means[arm]!) / deviations[arm]!);
  for (let cell = 1; cell <= cells; cell++) {
    const edge = low + ((high - low) * cell) / cells;
    for (let arm = 0; arm < arms; arm++) {
      const reached = normalCdf((edge - means[arm]!) / deviations[arm]!);
      rises[arm] = reached - below[arm]!;
      middles[arm] = (reached + below[arm]!) / 2;
      below[arm] = reached;
    }
    addCell(arms, out);
  }
  normalise(means, out);
}

/** Adds each arm's chance to fall into the cell and be above the others: products before and after it, no division. */
function addCell(arms: number, out: Float64Array): void {
  let product = 1;
  for (let arm = arms - 1; arm >= 0; arm--) {
    productsAfter[arm] = product;
    product *= middles[arm]!;
  }
  product = 1;
  for (let arm = 0; arm < arms; arm++) {
    out[arm]! += rises[arm]! * product * productsAfter[arm]!;
    product *= middles[arm]!;
  }
}

/** Where the greatest may lie, cut into cells that are fine for the narrowest normal that reaches there. */
function gridOf(means: ArrayLike<number>, variances: ArrayLike<number>): { low: number; high: number; cells: number } {
  let low = -Infinity;
  let high = -Infinity;
  for (let arm = 0; arm < means.length; arm++) {
    const mean = means[arm]!;
    const deviation = Math.sqrt(variances[arm]!);
    if (!(deviation > 0 && deviation < Infinity && mean - mean === 0)) {
      throw new RangeError(`Mean or variance ${arm} is no number that a normal can have.`);
    }
    deviations[arm] = deviation;
    if (mean - reach * deviation > low) low = mean - reach * deviation;
    if (mean + reach * deviation > high) high = mean + reach * deviation;
  }
  if (means.length === 0) throw new RangeError('There is nothing to choose from.');
  if (!(high > low)) high = low + 1e-9;
  let narrowest = Infinity;
  for (let arm = 0; arm < means.length; arm++) {
    const reaches = means[arm]! + reach * deviations[arm]! > low;
    if (reaches && deviations[arm]! < narrowest) narrowest = deviations[arm]!;
  }
  const wanted = Math.ceil((cellsPerDeviation * (high - low)) / narrowest);
  return { low, high, cells: wanted < leastCells ? leastCells : wanted < mostCells ? wanted : mostCells };
}

/** Makes the sum 1. Where no number lies between the greatest and the others, the greatest mean takes all. */
function normalise(means: ArrayLike<number>, out: Float64Array): void {
  let total = 0;
  for (let arm = 0; arm < means.length; arm++) total += out[arm]!;
  if (!(total > 0)) return exploit(means, out);
  for (let arm = 0; arm < means.length; arm++) out[arm]! /= total;
}

function makeRoom(arms: number): void {
  room = arms;
  deviations = new Float64Array(arms);
  below = new Float64Array(arms);
  rises = new Float64Array(arms);
  middles = new Float64Array(arms);
  productsAfter = new Float64Array(arms);
}
