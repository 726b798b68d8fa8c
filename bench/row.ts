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

/** A line that starts products of its own: no other may run meanwhile. */
export interface RowAlone {
  readonly name: string;
  readonly about: string;
  readonly measure: (say: Bench['say']) => Promise<readonly Figure[]>;
}
