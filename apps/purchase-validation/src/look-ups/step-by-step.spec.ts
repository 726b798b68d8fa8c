import { expect, it } from '@jest/globals';
import { type Period, stepByStep, unknownStepLength } from './step-by-step.ts';

const minute = 60_000;

/** Reads a time of which the store has a page a second. @returns what it was asked for, step by step */
async function stepsOf(time: Period): Promise<readonly Period[]> {
  const steps: Period[] = [];
  await stepByStep(time, {
    ...{ stepLength: unknownStepLength(), pagesAStep: 50, stopping: new AbortController().signal },
    read: async ({ from, to, after }) => {
      if (after === null) steps.push({ from, to });
      const next = Number(after ?? 0) + 1;
      return { notifications: [], next: next * 1_000 < to - from ? String(next) : null };
    },
    ...{ seeTo: async () => undefined, reached: async () => undefined },
  });
  return steps;
}

it('asks for nothing twice, however short the time is that is to be read, and for whole milliseconds', async () => {
  const steps = await stepsOf({ from: 0, to: 90 * minute });
  expect(steps[1]).toEqual({ from: 0, to: 45 * minute });
  expect(new Set(steps.map(({ from, to }) => `${from} ${to}`)).size).toBe(steps.length);
  expect(steps.flatMap(({ from, to }) => [from, to]).filter((time) => !Number.isInteger(time))).toEqual([]);
});
