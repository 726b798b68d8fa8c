import { columns } from '../replay/report.ts';

/** One thing that was tried. */
export interface Trial {
  readonly tried: string;
  readonly seen: string;
  readonly holds: boolean;
}

/** What was tried and seen, in order; each is said as soon as it is known. */
export class Trials {
  readonly #say: (line: string) => void;
  readonly all: Trial[] = [];

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** @param seen what there was, in words @param holds whether that is what should be */
  note(tried: string, seen: string, holds: boolean): void {
    this.all.push({ tried, seen, holds });
    this.#say(`  ${holds ? 'holds' : 'FAILS'}  ${tried}: ${seen}`);
  }

  get failed(): readonly Trial[] {
    return this.all.filter(({ holds }) => !holds);
  }
}

export function reportOf(trials: readonly Trial[]): string {
  const rows = trials.map(({ tried, seen, holds }) => [tried, holds ? 'holds' : 'FAILS', seen]);
  const failed = trials.filter(({ holds }) => !holds).length;
  return `${columns([['what was tried', '', 'what was seen'], ...rows])}\n\n${trials.length - failed} hold, ${failed} fail`;
}
