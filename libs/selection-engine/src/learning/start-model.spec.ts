import { describe, expect, it } from '@jest/globals';
import { Dictionary } from '../features/dictionary.ts';
import { StartModel } from './start-model.ts';

describe('a start model', () => {
  it('knows of an unseen value what the prior says', () => {
    const model = new StartModel(new Dictionary(['a']).groups);
    model.weights.arms.addRow();
    const { mean, variance } = model.weights.predict(Int32Array.of(0, -1), { row: 0, design: [] });
    expect(mean).toBe(-3.5);
    expect(variance).toBeCloseTo(4 + 0.05 + 0.2 + 0.00375, 12);
  });
});
