import type { PaywallServed } from '../selection/paywall-served.event.ts';
import type { Weighing } from '../selection/weighing.ts';
import { isUsableId, pointer, type CatalogFault, type Json } from './catalog-fault.ts';
import { entriesOf } from './catalog-reference-faults.ts';

/**
 * What a decision may take for its candidates, in bytes as JSON: half of what its topic takes. What is known of the user
 * may need 0.7 MB, and the way through placements the rest.
 */
const mostCandidateBytes = 1024 * 1024;

/** Models that could not choose: a decision names each candidate, with its figures, and would be too long for its topic. */
export function catalogSizeFaults(json: Json): readonly CatalogFault[] {
  const externalIds = new Map(entriesOf(json, 'paywalls').map(({ entry }) => [entry['id'], entry['externalId']]));
  return entriesOf(json, 'models').flatMap(({ entry: { candidates }, name }) => {
    const ids = (Array.isArray(candidates) ? candidates : []).filter(isUsableId);
    const bytes = ids.reduce((sum, id) => sum + bytesInDecision(id, externalIds.get(id)), 0);
    if (bytes <= mostCandidateBytes) return [];
    const message = `may take ${bytes} bytes of each decision with their figures, and at most ${mostCandidateBytes} are left for them`;
    return [{ path: pointer('models', name, 'candidates'), message }];
  });
}

/** No number is longer as JSON. */
const figure = -1.2345678901234567e-6;

/** The most that a candidate takes: a decision has it twice. */
function bytesInDecision(paywall: string, givenExternalId: unknown): number {
  const externalId = typeof givenExternalId === 'string' ? givenExternalId : paywall;
  const told: PaywallServed['body']['candidates'][number] = {
    ...{ paywall, paywallId: Number.MAX_SAFE_INTEGER, externalId },
    ...{ score: figure, probability: figure },
  };
  const weighed: Weighing['candidates'][number] = {
    ...{ paywall, score: figure, variance: figure },
    ...{ probability: figure, value: figure, propensity: figure },
  };
  return Buffer.byteLength(JSON.stringify([told, weighed]));
}
