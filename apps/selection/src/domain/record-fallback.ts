import { DecisionSuperseded, PaywallServed, type RecordFallback } from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import type { SelectionEvent } from './selection-state.ts';

/**
 * Records what the gateway served in selection's place, and that selection's own decision counts for
 * nothing: whether it was made before, is made later, or never.
 */
export function recordFallback({ id, appId, key, body }: RecordFallback): Decision<SelectionEvent> {
  const { supersedes, reason, ...served } = body;
  return {
    events: [
      PaywallServed.of({
        ...served,
        decisionId: id,
        appId,
        profileId: key,
        target: 'baseline',
        path: [{ placementId: body.placementId, target: 'baseline', weight: null }],
        modelVersion: null,
        candidates: [],
        probability: null,
        seed: id,
        stickyUntil: null,
        stickyTo: null,
        fallback: reason,
      }),
      DecisionSuperseded.of({ appId, profileId: key, decisionId: supersedes, supersededBy: id }),
    ],
    reply: {},
  };
}
