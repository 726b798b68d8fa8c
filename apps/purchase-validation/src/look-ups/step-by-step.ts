export interface Period {
  readonly from: number;
  readonly to: number;
}

export interface StepByStep {
  /** More, and the step is halved. */
  readonly pagesAStep: number;
  /** Aborted: no step more. */
  readonly stopping: AbortSignal;
  /**
   * Sees to a step whole.
   * @returns how many pages it had; null if more than `mostPages`, or not all were read: then nothing is seen to
   */
  readonly seeTo: (step: Period, mostPages: number) => Promise<number | null>;
  /** Told behind each step how far all is seen to. */
  readonly reached: (until: number) => Promise<void>;
}

const minuteMs = 60_000;
/**
 * Of a month that was not read the oldest hours come first, since a store may tell the newest first: so what is reached
 * stays, whatever comes of the rest.
 */
const firstStepMs = 6 * 60 * minuteMs;
const leastStepMs = minuteMs;
const stepsATurn = 20;

/**
 * Reads a history of a period on, and no more than a turn may take.
 * @returns whether there is more to read
 */
export async function stepByStep(
  { from, to }: Period,
  { pagesAStep, stopping, seeTo, reached }: StepByStep,
): Promise<boolean> {
  let start = from;
  for (let step = firstStepMs, steps = 0; start < to && steps < stepsATurn && !stopping.aborted; steps++) {
    const end = Math.min(start + step, to);
    const pages = await seeTo({ from: start, to: end }, step > leastStepMs ? pagesAStep : Infinity);
    if (pages === null) {
      step /= 2;
      continue;
    }
    await reached(end);
    start = end;
    if (pages === 1) step *= 2;
  }
  return start < to;
}
