import type { EnginePaywall } from '../engine-catalog.ts';
import { Dictionary } from '../features/dictionary.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import { fieldValues, type FeatureContext } from '../features/field-values.ts';
import { exp } from '../numbers/exp.ts';
import type { Choice, Policy } from '../policy.ts';
import type { Calibration, ModelSnapshot } from '../snapshot/model-snapshot.ts';
import { bestArm } from './best-arm.ts';
import { choiceVersion, exploit, explore, type ChoiceVersion } from './explore.ts';
import { score, scoringTable, type ScoredArm, type ScoringTable } from './scoring-table.ts';

/** What a learned policy makes of the candidates, in their order. */
export interface LearnedChoice extends Choice {
  /** Tempered variances of the scores. */
  readonly variances: Float64Array;
  /** Expected USD per exposure, before calibration. */
  readonly values: Float64Array;
  /** What they are calibrated by before people are shown them. */
  readonly calibration: Calibration;
  /** Within how many days of a start they count. */
  readonly horizonDays: number;
}

export interface LearnedPolicyOptions {
  /** Off: always the greatest score. */
  readonly exploration?: 'on' | 'off';
  /** That of the decisions to be replayed; the newest if absent. */
  readonly version?: ChoiceVersion;
  /** A paywall's tokens in today's catalog, where the snapshot may not know it yet. */
  readonly designOf?: (paywall: string) => readonly string[] | undefined;
  /** The user's clock: minutes ahead of UTC at that time, or null. Without it, time is UTC. */
  readonly utcOffsetOf?: (timezone: string, at: number) => number | null;
}

export interface LearnedPolicy extends Policy {
  choose(context: FeatureContext, candidates: readonly EnginePaywall[]): LearnedChoice;
}

/** What a decision names a snapshot's policy: the rule that it chooses by, and the snapshot's id. */
export const policyVersion = (id: string, { exploration = 'on', version = choiceVersion }: LearnedPolicyOptions = {}) =>
  `${version}${exploration === 'on' ? '' : '-greedy'}:${id}`;

/**
 * The policy of a snapshot: shows each candidate about as often as it is believed to be the best, by expected USD.
 * @param id the snapshot's; with the options it names the policy in every record
 */
export function learnedPolicy(id: string, snapshot: ModelSnapshot, options: LearnedPolicyOptions = {}): LearnedPolicy {
  const { exploration = 'on', version = choiceVersion, designOf, utcOffsetOf } = options;
  const encoder = new FeatureEncoder(new Dictionary(snapshot.fields, snapshot.entries));
  const armsOf = scoredArms(snapshot, designOf);
  // Candidate lists live as long as their catalog revision; the table is made when one is met first.
  const tables = new WeakMap<readonly EnginePaywall[], ScoringTable>();
  const tableOf = (candidates: readonly EnginePaywall[]) => {
    const known = tables.get(candidates);
    if (known !== undefined) return known;
    const table = scoringTable(snapshot, candidates.map(armsOf));
    tables.set(candidates, table);
    return table;
  };
  return {
    version: policyVersion(id, options),
    choose(context, candidates) {
      const { timezone } = context.facts;
      const offset = timezone === null ? null : (utcOffsetOf?.(timezone, context.at) ?? null);
      const active = encoder.encode(fieldValues(context, offset));
      const scores = new Float64Array(candidates.length);
      const variances = new Float64Array(candidates.length);
      const common = score(tableOf(candidates), active, scores, variances);
      const probabilities = new Float64Array(candidates.length);
      if (exploration === 'off') {
        exploit(scores, probabilities);
      } else {
        bestArm(scores, variances, probabilities);
        explore(probabilities, snapshot.exposures, version);
      }
      const values = new Float64Array(candidates.length);
      for (let index = 0; index < values.length; index++) values[index] = exp(common + scores[index]!);
      const { calibration, horizonDays } = snapshot;
      return { scores, variances, probabilities, values, calibration, horizonDays };
    },
  };
}

/** Finds candidates in the snapshot. One whose design changed since is new: its own row says what was, not what is. */
function scoredArms(snapshot: ModelSnapshot, designOf: LearnedPolicyOptions['designOf']) {
  const rows = new Map(snapshot.arms.map(({ paywall }, row) => [paywall, row]));
  const tokenRows = new Map(snapshot.tokens.map((token, row) => [token, row]));
  return ({ paywall }: EnginePaywall): ScoredArm => {
    const row = rows.get(paywall) ?? -1;
    const known = snapshot.arms[row]?.design ?? [];
    const design = designOf?.(paywall)?.map((token) => tokenRows.get(token) ?? -1) ?? known;
    const same = design.length === known.length && design.every((token, place) => token === known[place]);
    return { row: same ? row : -1, design };
  };
}
