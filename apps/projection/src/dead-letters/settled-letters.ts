import { periodically, type Clock, type Logger } from '@paywright/platform';
import type { Queryable } from '@paywright/read-model';
import { projectionName } from '../following/dead-letters.ts';
import { forgetSettled } from './letter.sql.ts';

const everyMs = 60 * 60 * 1000;
/** Twice as long as their topics keep dead letters: one that is read again from there must not be open again. */
const keptMs = 180 * 24 * 60 * 60 * 1000;
const stepRows = 1_000;

/** Forgets dead letters that were settled half a year ago, in steps; `forgetSome` tells whether there may be more. */
export class SettledLetters {
  constructor(
    private readonly database: Queryable,
    private readonly clock: Clock,
  ) {}

  async forgetSome(): Promise<boolean> {
    const before = new Date(this.clock.now() - keptMs);
    const { rowCount } = await this.database.query(forgetSettled, [before, projectionName, stepRows]);
    return rowCount === stepRows;
  }

  /** At once, and each hour from then on. @returns the function that ends it */
  keepForgetting(logger: Logger): () => Promise<void> {
    return periodically({ name: 'forgetting dead letters', pauseMs: everyMs, turn: () => this.forgetSome() }, logger);
  }
}
