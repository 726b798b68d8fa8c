import { describe, expect, it } from '@jest/globals';
import { chiSquareDeviate } from '../testing/chi-square.ts';
import { fineBestArm } from '../testing/fine-best-arm.ts';
import { standardNormals } from '../testing/standard-normals.ts';
import { bestArm } from './best-arm.ts';

describe('bestArm', () => {
  it('is as often right as 10^6 draws', () => {
    const means = [0.1, 0, -0.2, 0.05];
    const variances = [0.04, 0.09, 0.25, 0.01];
    const deviations = variances.map(Math.sqrt);
    const normal = standardNormals(1);
    const counts = [0, 0, 0, 0];
    for (let draw = 0; draw < 1_000_000; draw++) {
      let best = 0;
      let greatest = -Infinity;
      for (let arm = 0; arm < 4; arm++) {
        const value = (means[arm] ?? 0) + (deviations[arm] ?? 0) * normal();
        if (value <= greatest) continue;
        greatest = value;
        best = arm;
      }
      counts[best] = (counts[best] ?? 0) + 1;
    }
    const drawn = counts.map((count) => count / 1_000_000);
    const probabilities = new Float64Array(4);
    bestArm(means, variances, probabilities);
    probabilities.forEach((one, arm) => expect(Math.abs(one - (drawn[arm] ?? NaN))).toBeLessThan(0.002));
    expect(Math.abs(chiSquareDeviate(counts, fineBestArm(means, variances)))).toBeLessThan(4);
  });
});
