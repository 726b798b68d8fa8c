import type { Exploration, ModelReport, PlacementReport, Report } from '../report.ts';
import { minute, type Tone } from './charts.ts';

const targetNames: Readonly<Record<string, string>> = {
  ai_model: 'AI model',
  baseline: 'Baseline',
  placement: 'Another placement',
};
export const targetName = (target: string): string => targetNames[target] ?? target;
export const toneOf = (target: string): Tone =>
  target === 'ai_model' ? 'ai' : target === 'baseline' ? 'baseline' : 'plain';

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');
/** What an old one counts of one is a part: few would be rounded to none. */
export const weighedCount = (value: number): string => (value < 9.95 ? value.toFixed(1) : count(value));
/** An amount of USD, which may have twelve digits behind the point, as it is read. */
export const inCents = (amount: string): string => Number(amount).toFixed(2);
export const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
export const usd = (value: number): string => signed(value, Math.abs(value).toFixed(Math.abs(value) < 10 ? 3 : 2), '$');
/** A difference of shares, in percentage points: it is no percent of either. */
export const points = (difference: number): string => signed(difference, Math.abs(difference * 100).toFixed(2));

const coefficient = (value: number): string => signed(value, Math.abs(value).toFixed(2));

/** What is rounded to 0 has no sign. */
const signed = (value: number, amount: string, unit = ''): string =>
  `${value < 0 && Number(amount) !== 0 ? '−' : ''}${unit}${amount}`;

/** The guard's interval knows how many people there were, and how wrong the rates may be that renewals are projected by. */
const expectation =
  'Expected is what starts brought and what renewals are thought to bring yet, by their rates so far; how far those rates may be off is allowed for.';

type Served = Pick<Report, 'traffic' | 'isServed' | 'model'>;

const isOpen = ({ guardrail }: ModelReport): boolean => guardrail.verdict === 'open';

/** Whether AI and Baseline go on being compared, and nothing is certain yet. */
export const isCompared = (report: Served): boolean => isOpen(report.model) && standstill(report) === null;

/** The page's first sentence: what is certain of AI against Baseline, and whether that is all that there will be. */
export function verdictSentence(report: Served): string {
  const { model } = report;
  const [end, alarm] = [standstill(report), isOpen(model) ? newestAlarm(model) : null];
  if (end === null) return [verdictOf(model), ...(alarm === null ? [] : [alarm])].join(' ');
  const known = isOpen(model) ? (alarm ?? 'Nobody knows whether the AI earns more than Baseline.') : verdictOf(model);
  return `${known} ${end}`;
}

/** That began the comparison which is open: it has none of what was found. Newest first; a person may have decided since. */
function newestAlarm({ changes }: ModelReport): string | null {
  const last = changes.find(({ aiShare }) => aiShare !== null);
  if (last?.type !== 'ModelGuardTripped') return null;
  return `On ${minute(last.time)} UTC the guard found the AI worse than Baseline, which was no chance, and took share from it: what is compared began anew then.`;
}

function verdictOf({ guardrail }: ModelReport): string {
  const { exposures: shown, startsCompared: starts } = guardrail;
  if (guardrail.verdict === 'better')
    return `The AI is expected to earn more than Baseline, and that is no chance. ${expectation}`;
  if (guardrail.verdict === 'worse')
    return (guardrail.usd?.high ?? 0) < 0
      ? `The AI is expected to earn less than Baseline, and that is no chance. ${expectation}`
      : `Fewer start on what the AI shows than on Baseline, and that is no chance. It is expected to earn less, too, which is not certain yet. ${expectation}`;
  if (guardrail.starts === null)
    return `Too early to say: each side needs 40 trials or purchases. AI has ${count(starts.aiModel)} in ${count(shown.aiModel)} shown decisions, Baseline ${count(starts.baseline)} in ${count(shown.baseline)}.`;
  return 'Too early to say: the AI may earn more than Baseline, or less.';
}

/** Why what is open stays open; nothing where AI and Baseline are both drawn. */
function standstill(report: Served): string | null {
  const why = reasonOf(report);
  return why === null ? null : `Nothing more is compared: ${why}.`;
}

function reasonOf({ traffic, isServed, model }: Served): string | null {
  if (traffic === null) return 'the catalog has the model no more';
  return isServed ? missingSide(traffic, model.guardrail.aiShare) : 'no placement has the model any more';
}

function missingSide(traffic: readonly string[], aiShare: number): string | null {
  const isAiNamed = traffic.includes('ai_model');
  // What AI does not get of its weight is Baseline's.
  const isBaselineDrawn = traffic.includes('baseline') || (isAiNamed && aiShare < 1);
  const missing = [...(isAiNamed ? [] : ['AI']), ...(isBaselineDrawn ? [] : ['Baseline'])];
  if (missing.length > 0) return `the catalog leaves ${missing.join(' and ')} none of the traffic`;
  return aiShare === 0 ? 'AI has none of its weight at present' : null;
}

/** What forbids to believe either; nothing where there is nothing. */
export function ratioWarning({ guardrail: { sampleRatio } }: ModelReport): string | null {
  if (!sampleRatio?.isOff) return null;
  const { aiShare, expectedAiShare } = sampleRatio;
  return `Do not believe it yet: ${percent(aiShare)} of what was shown was AI's, and ${percent(expectedAiShare)} was drawn for it, which is no chance. One side is lost on its way to the screen.`;
}

/** What stands beside it: what was seen at a placement, which is one look and proves less. */
export function seenSentence({ placementId, targets, comparison }: PlacementReport): string {
  if (comparison !== null) {
    const { aiModel, baseline, difference } = comparison;
    const means = `AI ${usd(Number(aiModel.usdPerDraw))}, Baseline ${usd(Number(baseline.usdPerDraw))}`;
    return `At ${placementId} a draw brought, at like times: ${means}. ${differenceSentence(difference)}`;
  }
  const told = targets.flatMap(({ target, revenuePerDraw }) =>
    revenuePerDraw === null ? [] : `${targetName(target)} ${usd(Number(revenuePerDraw.usd))}`,
  );
  if (told.length === 0) return `At ${placementId} nothing was drawn in this time.`;
  return `At ${placementId} a draw brought: ${told.join(', ')}.`;
}

function differenceSentence({ low, high }: NonNullable<PlacementReport['comparison']>['difference']): string {
  if (low === null || high === null) return 'Too few paid for an interval of the difference.';
  return `AI minus Baseline is ${usd(Number(low))} to ${usd(Number(high))}, with 95 % certainty at one look.`;
}

/** Whether the order of promises is worth something. */
export function concentrationSentence({ promised, brought }: ModelReport['concentration']): string {
  if (promised === null || brought === null) return 'No money came yet of what it promised.';
  return `By this order the Gini coefficient of promises is ${coefficient(promised)}, and of what came ${coefficient(brought)}: 0 would be an order that tells nothing.`;
}

/** The more is thought to be known, the less it is. */
export function costOfExploring({ bestUsd, drawnUsd }: NonNullable<Exploration['expected']>): string {
  const cost = bestUsd - drawnUsd;
  return bestUsd === 0 ? usd(cost) : `${usd(cost)}, ${percent(cost / bestUsd)} of the best`;
}

/** A frozen model publishes nothing, its guard's figures neither, while what placements earned goes on. */
export const frozenNote = ({ state, learnedUntil }: ModelReport): string | null =>
  state === 'frozen' && learnedUntil !== null
    ? `The model is frozen: what it and its guard say is of ${minute(learnedUntil)} UTC.`
    : null;

const stateSentences: Readonly<Record<string, string>> = {
  uniform: 'It has learned nothing yet, and shows all candidates alike: a showing counts after an hour.',
  learning: 'It learns, and serves what it learns.',
  frozen:
    'It is frozen: it learns, and serves on as it was. Of candidates that came since it knows nothing, however they sell.',
  archived: 'The catalog has it no more.',
};
export const stateSentence = (state: string): string => stateSentences[state] ?? state;

const changeWords: Readonly<Record<string, string>> = {
  ModelFrozen: 'Frozen',
  ModelUnfrozen: 'Unfrozen',
  ModelGuardTripped: 'The guard took share from AI',
  ModelGuardReleased: 'AI got its share back',
  ModelShareLimited: 'AI was given another share',
};
export const changeWord = (type: string): string => changeWords[type] ?? type;

const policyWords: Readonly<Record<string, string>> = {
  ai: 'AI as it chose then',
  baseline: 'Baseline always',
  uniform: 'Every candidate alike',
  current: 'The model of today',
};
/** A paywall is called here as in the other charts: by its external id. */
export function policyWord(policy: string, candidates: ModelReport['candidates']): string {
  const id = policy.replace(/^paywall:/, '');
  return policyWords[policy] ?? `Always ${candidates.find(({ paywall }) => paywall === id)?.externalId ?? id}`;
}
