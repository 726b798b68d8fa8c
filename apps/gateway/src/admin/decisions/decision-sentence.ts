import type { AiShares, PaywallServed } from '@paywright/contracts';
import type { DecisionRow } from '@paywright/read-model';
import { calibrated } from '@paywright/selection-engine';

type Decision = PaywallServed['body'];
type Step = Decision['path'][number];

/** Why the user saw this paywall: plain English, with the numbers. */
export function decisionSentence({ decision, superseded }: DecisionRow): string {
  const { catalogRevision, latencyMs, fallback, aiShares = {} } = decision;
  const measured = fallback === null ? ` in ${latencyMs} ms` : ` after ${latencyMs} ms`;
  const ending = superseded ? ' It was superseded: the client was answered by another decision.' : '';
  return `${reason(decision)} Decided${measured} by catalog revision ${catalogRevision}.${heldBack(aiShares)}${ending}`;
}

/** Why weights are not the catalog's. */
function heldBack(aiShares: AiShares): string {
  const models = Object.entries(aiShares).map(
    ([model, share]) => `${percent(share)} of its weight in model "${model}"`,
  );
  return models.length === 0 ? '' : ` AI was held back to ${models.join(' and ')}, and Baseline had the rest.`;
}

function reason(decision: Decision): string {
  const { placementId, fallback, stickyTo, path } = decision;
  const placement = `Placement "${placementId}"`;
  if (fallback !== null)
    return `${placement} fell back to its Baseline paywall ${paywallOf(decision)}: ${reasonOfFallback(fallback)}.`;
  if (stickyTo !== null)
    return `${placement} keeps a profile's first choice for a while, so it repeated decision ${stickyTo}: paywall ${paywallOf(decision)}.`;
  return `${placement} ${path.map((step, index) => wayOf(step, path[index + 1], decision)).join(', which ')}.`;
}

function wayOf({ target, weight }: Step, next: Step | undefined, decision: Decision): string {
  if (weight === null)
    return `served its Baseline paywall ${paywallOf(decision)} without a draw, since ${reasonOfBaseline(decision)}`;
  const drew = `(weight ${weight})`;
  if (target === 'placement') return `sent the request on to placement "${next?.placementId ?? ''}" ${drew}`;
  if (target === 'baseline') return `drew its Baseline target ${drew}: paywall ${paywallOf(decision)}`;
  return `drew its AI model ${drew}, and ${choiceOf(decision)}`;
}

function choiceOf(decision: Decision): string {
  const { modelVersion, probability, candidates } = decision;
  const others = candidates.length === 1 ? 'its only candidate' : `one of ${candidates.length} candidates`;
  return `model version ${modelVersion ?? 'unknown'} chose paywall ${paywallOf(decision)}, ${others}, with probability ${percent(probability ?? 0)}${expectationOf(decision)}`;
}

/** What the model expected of its choice, and of the best of the others; nothing where it had not learned. */
function expectationOf({ paywall, weighing, candidates: named }: Decision): string {
  const { calibration, candidates = [] } = weighing ?? {};
  if (calibration === undefined) return '';
  const expected = candidates.map((one) => ({ ...one, usd: calibrated(calibration, one.value ?? 0) }));
  const chosen = expected.find((one) => one.paywall === paywall);
  const [best] = expected.filter((one) => one !== chosen).sort((one, other) => other.usd - one.usd);
  if (chosen === undefined) return '';
  const ofChoice = `: it expected ${usd(chosen.usd)} of showing it, within ${calibration.horizonDays} days of a start`;
  if (best === undefined) return ofChoice;
  const other = named.find((one) => one.paywall === best.paywall);
  const name = other === undefined ? `"${best.paywall}"` : paywallOf(other);
  return `${ofChoice}, and ${usd(best.usd)} of the ${best.usd > chosen.usd ? 'best' : 'next best'}, ${name}`;
}

/** A placement without a model has nothing to draw; one with a model draws for every request that names a profile id. */
const reasonOfBaseline = ({ path, aiPricingModelId }: Decision) =>
  path.length === 1 && aiPricingModelId !== null ? 'the request named no profile id' : 'it has no model';

const paywallOf = ({ externalId, paywallId }: Pick<Decision, 'externalId' | 'paywallId'>) =>
  `"${externalId}" (${paywallId})`;

const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, useGrouping: false });
const usd = (amount: number) => `${threeDigits.format(amount)} USD`;

const percent = (probability: number) => `${Number((probability * 100).toPrecision(4))}%`;

const reasonsOfFallback: Readonly<Record<string, string>> = {
  deadline: 'selection did not answer in time',
  overload: 'selection had more requests than it could take on',
  unavailable: 'selection gave no decision that could be served',
};

const reasonOfFallback = (fallback: string) => reasonsOfFallback[fallback] ?? fallback;
