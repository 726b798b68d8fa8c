import type { Figure } from './figure.ts';
import type { Generator } from './load/generator.ts';
import type { Stack } from './stack.ts';
import type { Subject } from './subject.ts';

/** What a row is measured with. */
export interface Bench {
  readonly dataDir: string;
  readonly stack: Stack;
  readonly generator: Generator;
  /** Made when a row first asks for it. */
  readonly subject: () => Promise<Subject>;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** One line of the table, or a few that are measured together. */
export interface Row {
  readonly name: string;
  readonly about: string;
  readonly measure: (bench: Bench) => Promise<readonly Figure[]>;
}

/** How much a row is measured with, where that is not its own choice. */
export interface Sizes {
  readonly events: number;
  readonly profiles: number;
}

/** A line that starts products of its own: no other may run meanwhile. */
export interface RowAlone {
  readonly name: string;
  readonly about: string;
  readonly measure: (say: Bench['say'], sizes: Sizes) => Promise<readonly Figure[]>;
}
