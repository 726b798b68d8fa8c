import { inHashOrder } from '../value/label-starts.ts';
import { Examination, type Promotion } from './examination.ts';
import { onceById } from './rebuild-facts.ts';
import { showAll, type Facts } from './rebuild-in-memory.ts';
import type { Trainer } from './trainer.ts';

/**
 * The examination of a rebuild of facts that fit into memory.
 * @param facts all that is known, the last day included
 * @param now not before the live model's last tick
 */
export function judgeRebuild(live: Trainer, { shown, starts, ...facts }: Facts, now: number): Promotion {
  const examination = new Examination(live, { ...facts, starts: onceById(starts) }, now);
  showAll(examination, inHashOrder(onceById(shown), live.state.seed));
  return examination.judge();
}
