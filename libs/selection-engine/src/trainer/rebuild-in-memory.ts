import { inHashOrder } from '../value/label-starts.ts';
import { toItsEnd } from './fit-starts.ts';
import type { ShownRecord, StartRecord } from './learning-record.ts';
import { onceById, type RebuildFacts } from './rebuild-facts.ts';
import { Rebuild } from './rebuild.ts';
import type { Trainer } from './trainer.ts';

/** What happened, in any order and with repetitions. */
export interface Facts extends Omit<RebuildFacts, 'starts'> {
  readonly shown: Iterable<ShownRecord>;
  readonly starts: Iterable<StartRecord>;
}

/** A rebuild of facts that fit into memory. @see Rebuild */
export function rebuild(modelId: string, { shown, starts, ...facts }: Facts, now: number): Trainer {
  const one = new Rebuild(modelId, { ...facts, starts: onceById(starts) }, now);
  showAll(one, inHashOrder(onceById(shown), modelId));
  return one.finish();
}

/** @param exposures each once, by rising hash */
export function showAll(rebuilt: Pick<Rebuild, 'count' | 'learn' | 'fit'>, exposures: readonly ShownRecord[]): void {
  for (const record of exposures) rebuilt.count(record);
  for (const record of exposures) rebuilt.learn(record);
  toItsEnd(rebuilt.fit());
}
