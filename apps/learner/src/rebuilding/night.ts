import { hash64 } from '@paywright/selection-engine';
import type { ModelLearner } from '../training/model-learner.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The last time by now that a model's rebuild was due at: once a day, each model's at a moment of its own within the hour
 * behind the time of day.
 * @param dueAtMs the time of day, in milliseconds since midnight, UTC
 * @param key of the model
 */
export function nightBefore(now: number, dueAtMs: number, key: string): number {
  const first = Math.floor(dueAtMs + (hash64(`rebuild\0${key}`).high / 2 ** 32) * hourMs);
  return Math.floor((now - first) / dayMs) * dayMs + first;
}

/** Whether a model is to be rebuilt: its log has come to that night, and people saw something of it the day before. */
export function isRebuildDue(
  { trainer: { state }, margin: { rebuild, catalogue } }: ModelLearner,
  night: number,
): boolean {
  const isNew = night > rebuild.night && rebuild.night > 0 && state.now >= night;
  return isNew && catalogue !== null && state.waiting.newestAt > night - dayMs;
}
