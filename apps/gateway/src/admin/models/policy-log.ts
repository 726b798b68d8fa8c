import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WeighedDecision } from '@paywright/read-model';
import type { LoggedDecision } from '@paywright/selection-engine';
import type { EvaluatedPolicy, LoggedChoices } from './evaluated-policy.ts';

/** Newest first; more would take a minute of a core, and tell little more. */
export const mostDecisions = 20_000;
/** So many decisions are weighed before others have their turn: a few milliseconds. */
export const turn = 200;

/** The decisions that can tell of a policy, and how many cannot. */
export interface PolicyLog {
  readonly decisions: readonly LoggedDecision[];
  /** In which the policy has nothing that it could show. */
  readonly notOffered: number;
  /** In which it would show what could not be shown then: of that the log knows nothing. */
  readonly neverShown: number;
}

/** What each decision says of the policy. It gives way to other work in between. */
export async function policyLog(rows: readonly WeighedDecision[], policy: EvaluatedPolicy): Promise<PolicyLog> {
  const decisions: LoggedDecision[] = [];
  const leftOut = { notOffered: 0, neverShown: 0 };
  for (const [index, row] of rows.entries()) {
    if (index % turn === turn - 1) await nextTurn();
    const logged = loggedDecision(row, policy);
    if (typeof logged === 'string') leftOut[logged] += 1;
    else decisions.push(logged);
  }
  return { decisions, ...leftOut };
}

function loggedDecision(
  row: WeighedDecision,
  policy: EvaluatedPolicy,
): LoggedDecision | keyof Omit<PolicyLog, 'decisions'> {
  const { choices, propensities, expected } = choicesOf(row);
  const chances = policy(choices, row);
  if (chances === null) return 'notOffered';
  const chosen = choices.paywalls.indexOf(row.paywall);
  const propensity = propensities[chosen] ?? 0;
  const isForeign = propensities.some((one, place) => one === 0 && (chances[place] ?? 0) > 0);
  if (propensity === 0 || isForeign) return 'neverShown';
  return { profile: row.profileId, chosen, propensity, policy: chances, expected, reward: Number(row.usd) };
}

function choicesOf(row: WeighedDecision) {
  const weighing = row.weighing();
  const { candidates, baselinePaywall, baselinePropensity } = weighing;
  const isApart = candidates.every(({ paywall }) => paywall !== baselinePaywall);
  const choices: LoggedChoices = {
    weighing,
    paywalls: [...candidates.map(({ paywall }) => paywall), ...(isApart ? [baselinePaywall] : [])],
  };
  return {
    choices,
    propensities: [...candidates.map(({ propensity }) => propensity), ...(isApart ? [baselinePropensity] : [])],
    // What a model expects is money of its whole horizon, and not what is compared here: no estimate uses it.
    expected: choices.paywalls.map(() => 0),
  };
}
