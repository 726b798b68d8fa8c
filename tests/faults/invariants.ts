import { findingsOfProfiles } from '../torture/invariants/of-profiles.ts';
import type { Observation } from '../torture/invariants/observation.ts';
import type { History } from './history.ts';

/** What of the invariants does not hold, a sentence each. The numbers are those of docs/correctness.md. */
export const violations = (history: History, seen: Observation): readonly string[] =>
  findingsOfProfiles(history, seen).map(({ invariant, sentence }) => `${invariant} ${sentence}`);
