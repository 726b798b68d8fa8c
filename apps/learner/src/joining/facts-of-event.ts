import type { DecisionSuperseded, EventsReported, PaywallServed } from '@paywright/contracts';
import { fieldValues } from '@paywright/selection-engine';
import type { LearnerCatalogs } from '../learner-catalogs.ts';
import type { View } from './journey.ts';
import type { Fact } from './fact.ts';

type Decided = Extract<Fact, { type: 'decided' }>;
type Weighing = NonNullable<PaywallServed['body']['weighing']>;

/**
 * What a decision means to its profile's journey.
 * @param at when it was made, in milliseconds since the epoch
 * @returns null where no model could learn from it
 */
export function factOfDecision(body: PaywallServed['body'], at: number, catalogs: LearnerCatalogs): Fact | null {
  const { decisionId: id, stickyTo, stickyUntil, paywall, paywallId, placementId, aiPricingModelId, path } = body;
  if (stickyTo !== null) return { type: 'repeated', id, of: stickyTo, at };
  const model = catalogs.modelOf(body);
  if (model === null) return null;
  const { weighing, context } = body;
  const servedBy = path.at(-1)?.placementId ?? placementId;
  const values = fieldValues({ facts: context, at, placementId: servedBy }, weighing?.utcOffsetMinutes ?? null);
  const { profileCreatedAt } = context;
  const named = { id, at, model, modelId: aiPricingModelId, paywallId, placementId, paywall, profileCreatedAt, values };
  return {
    type: 'decided',
    decided: { ...named, ...drawnAs(body, weighing) },
    stickyUntil,
    probabilities: probabilitiesOf(body, weighing),
  };
}

/** Whose traffic it was. Without a draw between AI and Baseline it was neither's. */
function drawnAs({ path, paywall }: PaywallServed['body'], weighing: Weighing | undefined) {
  if (weighing === undefined) return { side: null, share: 0, logValue: null };
  const side = path.at(-1)?.target === 'ai_model' ? ('ai' as const) : ('baseline' as const);
  const value = side === 'ai' ? weighing.candidates.find((one) => one.paywall === paywall)?.value : null;
  return {
    side,
    share: weighing.aiWeight / (weighing.aiWeight + weighing.baselineWeight),
    logValue: value == null || !(value > 0) ? null : Math.log(value),
  };
}

function probabilitiesOf({ path }: PaywallServed['body'], weighing: Weighing | undefined): Decided['probabilities'] {
  if (weighing === undefined || path.at(-1)?.target !== 'ai_model') return [];
  return weighing.candidates.map(({ paywall, probability }) => [paywall, probability] as const);
}

export const factOfSupersession = ({ decisionId: id }: DecisionSuperseded['body'], at: number): Fact => ({
  type: 'superseded',
  id,
  at,
});

/** The views among a client's reports. What a token of another profile attests teaches nothing. */
export function viewsOf(
  { appId, events }: EventsReported['body'],
  at: number,
  catalogs: LearnerCatalogs,
): readonly View[] {
  return events
    .filter(({ eventType, foreignToken }) => eventType === 'paywall_shown' && !foreignToken)
    .map(({ eventId: id, decisionId, placementId, paywallId, aiPricingModelId: modelId }) => ({
      id,
      at,
      decisionId,
      placementId,
      paywallId,
      modelId,
      model: catalogs.modelName(appId, modelId),
      paywall: catalogs.paywallName(appId, paywallId),
    }));
}
