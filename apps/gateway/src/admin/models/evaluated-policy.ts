import type { CatalogDocument, Weighing } from '@paywright/contracts';
import type { WeighedDecision } from '@paywright/read-model';
import {
  learnedPolicy,
  uniformPolicy,
  type EnginePaywall,
  type ModelSnapshot,
  type Policy,
} from '@paywright/selection-engine';
import { validationFailed } from '../../http/api-error.ts';
import { catalogHas } from '../catalog-has.ts';
import { isText, maxTextLength } from '../../validation/text.ts';

/** What could be shown in a logged decision, in the order of the log's candidates; Baseline last if it is none of them. */
export interface LoggedChoices {
  readonly weighing: Weighing;
  readonly paywalls: readonly string[];
}

/** A policy that is judged by a log: with what chance it would show each paywall; null where it has nothing to show. */
export type EvaluatedPolicy = (choices: LoggedChoices, decision: WeighedDecision) => ArrayLike<number> | null;

/** As a client names it. `current` needs the model's snapshot, the others the log alone. */
export type PolicyName =
  | { readonly kind: 'uniform' | 'current' | 'ai' | 'baseline' }
  /** By its id in the catalog. */
  | { readonly kind: 'paywall'; readonly paywall: string };

const plainNames = ['uniform', 'current', 'ai', 'baseline'] as const;
const accepted =
  'policy must be uniform (every candidate alike), current (the model as it is served now), ai (the AI as it chose ' +
  'at the time), baseline (the Baseline paywall), or paywall: and the id, external id or number of one.';

/**
 * The policy that a query names.
 * @param findFormer the id of a former paywall that was called so; asked only where the catalog has none
 * @throws ApiError VALIDATION_FAILED that lists what there is
 */
export async function policyName(
  value: unknown,
  { paywalls }: Pick<CatalogDocument, 'paywalls'>,
  numbers: Readonly<Record<string, number>>,
  findFormer: (named: string) => Promise<string | null>,
): Promise<PolicyName> {
  const plain = plainNames.find((name) => name === value);
  if (plain !== undefined) return { kind: plain };
  const named = typeof value === 'string' && value.startsWith(prefix) ? value.slice(prefix.length) : undefined;
  if (!isText(named, 1, maxTextLength)) throw validationFailed(accepted);
  const found =
    paywalls.find(({ id }) => id === named) ??
    paywalls.find(({ externalId }) => externalId === named) ??
    paywalls.find(({ id }) => String(numbers[id]) === named);
  const paywall = found?.id ?? (await findFormer(named));
  if (paywall === null) {
    const present = catalogHas(paywalls.map(({ id }) => `${prefix}${id}`));
    throw validationFailed(`policy names no paywall of this app, now or before; ${present}`);
  }
  return { kind: 'paywall', paywall };
}

const prefix = 'paywall:';

/** A model as it is served, and the SHA-256 that its snapshot is known by. */
export interface ServedSnapshot {
  readonly sha256: string;
  readonly snapshot: ModelSnapshot;
}

/** @param served null if nothing was learned yet: the model then chooses evenly */
export function evaluatedPolicy(name: PolicyName, served: ServedSnapshot | null): EvaluatedPolicy {
  switch (name.kind) {
    case 'uniform':
      return ({ weighing: { candidates }, paywalls }) =>
        paywalls.map((_, place) => (place < candidates.length ? 1 / candidates.length : 0));
    case 'ai':
      return ({ weighing, paywalls }) => paywalls.map((_, place) => weighing.candidates[place]?.probability ?? 0);
    case 'baseline':
      return ({ weighing, paywalls }) => fixed(paywalls, weighing.baselinePaywall);
    case 'paywall':
      return ({ paywalls }) => fixed(paywalls, name.paywall);
    case 'current':
      return served === null ? chosenBy(uniformPolicy) : learned(served);
    default:
      name satisfies never;
      throw new Error('There is no such policy.');
  }
}

const fixed = (paywalls: readonly string[], wanted: string): readonly number[] | null =>
  paywalls.includes(wanted) ? paywalls.map((paywall) => (paywall === wanted ? 1 : 0)) : null;

/** By the user's clock as it was logged with each decision. */
function learned({ sha256, snapshot }: ServedSnapshot): EvaluatedPolicy {
  let utcOffset: number | null = null;
  const policy = learnedPolicy(sha256, snapshot, { utcOffsetOf: () => utcOffset });
  const choose = chosenBy(policy);
  return (choices, decision) => {
    utcOffset = choices.weighing.utcOffsetMinutes;
    return choose(choices, decision);
  };
}

/** A policy keeps a table for each list of candidates: lists that are equal have to be the same one. */
function chosenBy(policy: Policy): EvaluatedPolicy {
  const lists = new Map<string, readonly EnginePaywall[]>();
  return ({ weighing, paywalls }, { time, placementId, context }) => {
    const key = weighing.candidates.map(({ paywall }) => paywall).join('/');
    const candidates = lists.get(key) ?? weighing.candidates.map(toEnginePaywall);
    lists.set(key, candidates);
    const { probabilities } = policy.choose({ facts: context(), at: time, placementId }, candidates);
    return paywalls.map((_, place) => probabilities[place] ?? 0);
  };
}

/** Policies know paywalls by their ids in the catalog. */
const toEnginePaywall = ({ paywall }: { readonly paywall: string }): EnginePaywall => {
  return { paywall, paywallId: 0, externalId: paywall };
};
