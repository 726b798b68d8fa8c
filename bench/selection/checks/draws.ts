import { bestArm, drawIndex, explore, floorOf, uniform } from '@paywright/selection-engine';
import type { Figure } from '../../figure.ts';
import { normals } from '../world/chance.ts';

const draws = 1_000_000;
const contexts = 10;
const arms = 8;
const exposures = 1e6;

/** Draws of fixed contexts by fresh command ids, against the probabilities that are logged. */
export function drawFigures(): readonly Figure[] {
  const normal = normals('draws', 'scores');
  let [statistic, freedom, offSum, leastOverFloor] = [0, 0, 0, Infinity];
  for (let context = 0; context < contexts; context++) {
    const means = Array.from({ length: arms }, (_, arm) => 0.3 * normal(context, arm));
    const pi = new Float64Array(arms);
    bestArm(means, Array.from({ length: arms }, () => 0.02), pi); // prettier-ignore
    explore(pi, exposures);
    const counts = new Float64Array(arms);
    for (let draw = 0; draw < draws / contexts; draw++)
      counts[drawIndex(pi, uniform(`command ${context}/${draw}`, 'arm/0'))]!++;
    pi.forEach((probability, arm) => {
      const expected = (probability * draws) / contexts;
      statistic += (counts[arm]! - expected) ** 2 / expected;
      leastOverFloor = Math.min(leastOverFloor, probability / floorOf(arms, exposures));
    });
    freedom += arms - 1;
    offSum = Math.max(offSum, Math.abs(pi.reduce((sum, one) => sum + one, 0) - 1));
  }
  // Wilson and Hilferty: beyond 3.09 once in a thousand.
  const spread = 2 / (9 * freedom);
  const deviate = (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
  return [
    {
      row: 'T17',
      what: '10^6 draws: deviate of chi-square, 3.09 is p = .001',
      value: deviate,
      unit: '',
      must: 3.09,
      better: 'lower',
    },
    {
      row: 'T17',
      what: 'sum of pi: distance from 1 in 1e-12',
      value: offSum / 1e-12,
      unit: '',
      must: 1,
      better: 'lower',
    },
    {
      row: 'T17',
      what: 'least pi over the floor',
      value: leastOverFloor,
      unit: 'x',
      must: 1 - 1e-12,
      better: 'higher',
    },
  ];
}
