import { pagesUpTo } from './pages-of.ts';

export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * How long a step may be, as the last turn at the history found out: in one of much news each turn would begin with as many
 * pages in vain.
 */
export interface StepLength {
  ms: number;
}

export interface StepByStep<News> {
  /** Told to the next turn. */
  readonly stepLength: StepLength;
  /** More, and the step is halved. */
  readonly pagesAStep: number;
  /** Aborted: no page more. */
  readonly stopping: AbortSignal;
  /** A page of a step. */
  readonly read: (
    wanted: Period & { readonly after: string | null },
  ) => Promise<{ readonly notifications: readonly News[]; readonly next: string | null }>;
  /** Sees to all that a step has. */
  readonly seeTo: (news: readonly News[]) => Promise<void>;
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

/** Of a history of which nothing is known. */
export const unknownStepLength = (): StepLength => ({ ms: firstStepMs });

/**
 * Reads a history of a period on, and no more than a turn may take.
 * @returns whether there is more to read
 */
export async function stepByStep<News>(
  { from, to }: Period,
  { stepLength, pagesAStep, stopping, read, seeTo, reached }: StepByStep<News>,
): Promise<boolean> {
  let start = from;
  for (let step = stepLength.ms, steps = 0; start < to && steps < stepsATurn && !stopping.aborted; steps++) {
    const period = { from: start, to: Math.min(start + step, to) };
    const mostPages = step > leastStepMs ? pagesAStep : Infinity;
    const pages = await pagesUpTo(mostPages, stopping, (after) => read({ ...period, after }));
    if (pages === null) {
      step = Math.ceil((period.to - period.from) / 2); // stores take whole milliseconds
      continue;
    }
    await seeTo(pages.flatMap(({ notifications }) => notifications));
    await reached(period.to);
    start = period.to;
    if (pages.length === 1) step *= 2;
    stepLength.ms = Math.min(step, firstStepMs);
  }
  return start < to;
}
